package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type message interface {
	Marshal() ([]byte, error)
	Unmarshal(bytes []byte) error
}

// writeSamples prints random objects of each kind, as Go's encoders write them:
//
//	kind, protobuf, JSON     each after its length in four bytes
func writeSamples(args []string) error {
	flags := flag.NewFlagSet("samples", flag.ExitOnError)
	count := flags.Int("count", 100, "objects of each kind")
	seed := flags.Uint64("seed", 1, "of what is random")
	density := flags.Float64("density", 0.4, "largest share of the fields that are set")
	if err := flags.Parse(args); err != nil {
		return err
	}
	output := bufio.NewWriter(os.Stdout)
	for index, kind := range protobufKinds() {
		random := rand.New(rand.NewPCG(*seed, uint64(index)))
		for range *count {
			filler := filler{random: random, density: *density * random.Float64()}
			if err := writeSample(output, kind, &filler); err != nil {
				return fmt.Errorf("%s: %w", kind.name, err)
			}
		}
	}
	return output.Flush()
}

func writeSample(output *bufio.Writer, kind protobufKind, filler *filler) error {
	object := reflect.New(kind.kind)
	filler.fill(object.Elem(), 0)
	bytes, err := object.Interface().(message).Marshal()
	if err != nil {
		return err
	}
	// What is printed is what Go reads: a list without elements is none.
	read := reflect.New(kind.kind)
	if err := read.Interface().(message).Unmarshal(bytes); err != nil {
		return err
	}
	text, err := json.Marshal(read.Interface())
	if err != nil {
		return err
	}
	for _, part := range [][]byte{[]byte(kind.name), bytes, text} {
		if err := binary.Write(output, binary.BigEndian, uint32(len(part))); err != nil {
			return err
		}
		if _, err := output.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// filler sets the fields of objects to random values.
type filler struct {
	random  *rand.Rand
	density float64
}

// maxDepth is one at which types that contain themselves end.
const maxDepth = 12

func (filler *filler) isSet(depth int) bool {
	// What is deep is rarer, so that objects with many levels stay small.
	return depth < maxDepth && filler.random.Float64() < filler.density/(1+float64(depth)/8)
}

func (filler *filler) fill(value reflect.Value, depth int) {
	if filler.fillSpecial(value) {
		return
	}
	switch value.Kind() {
	case reflect.Pointer:
		// A pointer to a zero is not the same as none.
		value.Set(reflect.New(value.Type().Elem()))
		filler.fillSometimes(value.Elem(), depth)
	case reflect.Struct:
		for at := range value.NumField() {
			field := value.Type().Field(at)
			if field.Tag.Get("protobuf") == "" && !field.Anonymous || field.Name == "TypeMeta" {
				continue
			}
			if field.Name == "ObjectMeta" || filler.isSet(depth) {
				filler.fill(value.Field(at), depth+1)
			}
		}
	case reflect.Slice:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			value.SetBytes([]byte(filler.text()))
			return
		}
		value.Set(reflect.MakeSlice(value.Type(), filler.random.IntN(3), 3))
		for at := range value.Len() {
			filler.fillElement(value.Index(at), depth)
		}
	case reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		for range filler.random.IntN(3) {
			key := reflect.New(value.Type().Key()).Elem()
			key.SetString(filler.text())
			element := reflect.New(value.Type().Elem()).Elem()
			filler.fillSometimes(element, depth)
			value.SetMapIndex(key, element)
		}
	default:
		filler.fillScalar(value)
	}
}

func (filler *filler) fillElement(value reflect.Value, depth int) {
	if value.Kind() == reflect.Pointer {
		filler.fill(value, depth)
		return
	}
	filler.fillSometimes(value, depth)
}

func (filler *filler) fillSometimes(value reflect.Value, depth int) {
	if filler.random.IntN(5) > 0 {
		filler.fill(value, depth)
	}
}

func (filler *filler) fillScalar(value reflect.Value) {
	switch value.Kind() {
	case reflect.String:
		value.SetString(filler.text())
	case reflect.Bool:
		value.SetBool(filler.random.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		value.SetInt(filler.number(1 << 53))
	case reflect.Int32:
		value.SetInt(filler.number(1 << 31))
	case reflect.Uint8:
		value.SetUint(uint64(filler.random.IntN(256)))
	case reflect.Uint32, reflect.Uint64:
		value.SetUint(uint64(filler.random.Uint32()))
	case reflect.Float64:
		value.SetFloat(float64(filler.number(1<<20)) / 8)
	default:
		panic("cannot fill " + value.Type().String())
	}
}

// number gives a zero, a small or a large number, or a negative one; of less than a limit.
func (filler *filler) number(limit int64) int64 {
	switch filler.random.IntN(6) {
	case 0:
		return 0
	case 1:
		return -filler.random.Int64N(limit)
	case 2:
		return filler.random.Int64N(limit)
	case 3:
		return -1
	default:
		return filler.random.Int64N(300)
	}
}

var words = []string{
	"", "", "a", "web", "kube-system", "app.kubernetes.io/name", "True", "__proto__", "constructor",
	"é", "日本語", "\U0001f600", "<&>", "\x7f\"\\\n", "a text that is longer than what is looked up in a table of texts, é",
}

func (filler *filler) text() string {
	return words[filler.random.IntN(len(words))]
}

var jsonTexts = []string{`{}`, `{"f:metadata":{"f:labels":{".":{},"f:app":{}}}}`, `{"a":[1,"é",null]}`, `[]`, `"text"`, `3`, `null`}

var quantities = []string{"0", "1", "100m", "1536Mi", "1Gi", "1k", "-5", "0.5", "12e6", "1n"}

// fillSpecial sets a value whose JSON form is not that of its fields.
func (filler *filler) fillSpecial(value reflect.Value) bool {
	switch special := value.Addr().Interface().(type) {
	case *metav1.Time:
		special.Time = filler.time().Truncate(time.Second)
	case *metav1.MicroTime:
		special.Time = filler.time().Truncate(time.Microsecond)
	case *metav1.FieldsV1:
		special.Raw = []byte(jsonTexts[filler.random.IntN(3)])
	case *runtime.RawExtension:
		special.Raw = []byte(jsonTexts[filler.random.IntN(len(jsonTexts))])
	case *resource.Quantity:
		*special = resource.MustParse(quantities[filler.random.IntN(len(quantities))])
	case *intstr.IntOrString:
		if filler.random.IntN(2) == 0 {
			*special = intstr.FromInt32(int32(filler.number(1 << 31)))
		} else {
			*special = intstr.FromString(filler.text())
		}
	default:
		return false
	}
	return true
}

func (filler *filler) time() time.Time {
	if filler.random.IntN(8) == 0 {
		return time.Time{}
	}
	// From year 1 to 9999, which is what JSON can say.
	const first, last = -62135596800, 253402300800
	if filler.random.IntN(4) == 0 {
		return time.Unix(first+filler.random.Int64N(last-first), filler.random.Int64N(1e9)).UTC()
	}
	return time.Unix(filler.random.Int64N(2e9), filler.random.Int64N(1e9)).UTC()
}
