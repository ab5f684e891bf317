;; Finds the structure of JSON text: the positions of { } [ ] , : outside of strings, down to a
;; depth. `npm run gen -- wasm` makes scan-module.ts of this file.
;;
;; Text is read in blocks of 64 bytes, as bit masks: bit n stands for byte n. The masks of escaped
;; characters and of strings are those of simdjson (Langdale, Lemire: Parsing Gigabytes of JSON per
;; Second, 2019, sections 3.1.1 and 3.1.2), the latter without carry-less multiplication, which
;; WebAssembly lacks.
;;
;; It looks at nothing else: whether brackets are of one kind, and what is between them, is for
;; JSON.parse to say.
(module
  ;; Two pages of 64 KiB, for one piece of text at a time. They begin with four words: the state
  ;; behind the last piece, which is open brackets, all ones within a string, and 1 behind a
  ;; backslash; and where the last scan has ended: before the end of the text if there was no room
  ;; for records. The state is 0 before a text.
  (memory (export "memory") 2)

  ;; One bit for each of 64 bytes that is equal to the splat $k.
  (func $equal
    (param $a v128) (param $b v128) (param $c v128) (param $d v128) (param $k v128) (result i64)
    (i64.or
      (i64.or
        (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $k))))
        (i64.shl
          (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $k))))
          (i64.const 16)))
      (i64.or
        (i64.shl
          (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $k))))
          (i64.const 32))
        (i64.shl
          (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $k))))
          (i64.const 48)))))

  ;; Scans the text from $p to $end, behind which 64 bytes are spaces, and writes the positions at a
  ;; depth of at most $limit from $out on, each in 4 bytes and $shift more than it is here. Brackets
  ;; have the depth of what is within them. Returns where the next record goes; a block needs 256
  ;; bytes before $room.
  (func (export "scan")
    (param $p i32) (param $end i32) (param $out i32) (param $room i32) (param $limit i32)
    (param $shift i32) (result i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $depth i32) (local $closings i32)
    (local $string i64) (local $escape i64)
    (local $quotes i64) (local $slashes i64) (local $codes i64)
    (local $outside i64) (local $open i64) (local $close i64) (local $marks i64) (local $bit i64)
    (local.set $depth (i32.load (i32.const 0)))
    (local.set $string (i64.load32_s (i32.const 4)))
    (local.set $escape (i64.load32_u (i32.const 8)))
    (block $done
      (loop $blocks
        (br_if $done (i32.ge_u (local.get $p) (local.get $end)))
        (br_if $done
          (i32.gt_u (i32.add (local.get $out) (i32.const 256)) (local.get $room)))
        (local.set $a (v128.load (local.get $p)))
        (local.set $b (v128.load offset=16 (local.get $p)))
        (local.set $c (v128.load offset=32 (local.get $p)))
        (local.set $d (v128.load offset=48 (local.get $p)))

        ;; Quotes that are not escaped.
        (local.set $quotes
          (call $equal (local.get $a) (local.get $b) (local.get $c) (local.get $d)
            (i8x16.splat (i32.const 0x22))))
        (local.set $slashes
          (call $equal (local.get $a) (local.get $b) (local.get $c) (local.get $d)
            (i8x16.splat (i32.const 0x5c))))
        (if (i64.ne (i64.or (local.get $slashes) (local.get $escape)) (i64.const 0))
          (then
            ;; In a run of backslashes that begins with an escape, each second one escapes. The
            ;; subtraction carries through a run, so that its parity is known behind it.
            (local.set $codes
              (i64.and (local.get $slashes) (i64.xor (local.get $escape) (i64.const -1))))
            (local.set $codes
              (i64.xor
                (i64.sub
                  (i64.or
                    (i64.shl (local.get $codes) (i64.const 1))
                    (i64.const 0xaaaaaaaaaaaaaaaa))
                  (local.get $codes))
                (i64.const 0xaaaaaaaaaaaaaaaa)))
            (local.set $quotes
              (i64.and
                (local.get $quotes)
                (i64.xor
                  (i64.xor (local.get $codes)
                    (i64.or (local.get $slashes) (local.get $escape)))
                  (i64.const -1))))
            ;; Whether the last byte escapes the next one; a last block may be shorter than 64.
            (local.set $escape
              (i64.and
                (i64.shr_u
                  (i64.and (local.get $codes) (local.get $slashes))
                  (select
                    (i64.const 63)
                    (i64.extend_i32_u
                      (i32.sub (i32.sub (local.get $end) (local.get $p)) (i32.const 1)))
                    (i32.ge_u (i32.sub (local.get $end) (local.get $p)) (i32.const 64))))
                (i64.const 1)))))

        ;; Bytes outside of strings: the parity of the quotes up to each byte.
        (local.set $outside
          (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 1))))
        (local.set $outside
          (i64.xor (local.get $outside) (i64.shl (local.get $outside) (i64.const 2))))
        (local.set $outside
          (i64.xor (local.get $outside) (i64.shl (local.get $outside) (i64.const 4))))
        (local.set $outside
          (i64.xor (local.get $outside) (i64.shl (local.get $outside) (i64.const 8))))
        (local.set $outside
          (i64.xor (local.get $outside) (i64.shl (local.get $outside) (i64.const 16))))
        (local.set $outside
          (i64.xor (local.get $outside) (i64.shl (local.get $outside) (i64.const 32))))
        (local.set $outside (i64.xor (local.get $outside) (local.get $string)))
        (local.set $string (i64.shr_s (local.get $outside) (i64.const 63)))
        (local.set $outside (i64.xor (local.get $outside) (i64.const -1)))

        ;; Brackets and braces differ by the bit 0x20.
        (local.set $open
          (i64.and (local.get $outside)
            (call $equal
              (v128.or (local.get $a) (i8x16.splat (i32.const 0x20)))
              (v128.or (local.get $b) (i8x16.splat (i32.const 0x20)))
              (v128.or (local.get $c) (i8x16.splat (i32.const 0x20)))
              (v128.or (local.get $d) (i8x16.splat (i32.const 0x20)))
              (i8x16.splat (i32.const 0x7b)))))
        (local.set $close
          (i64.and (local.get $outside)
            (call $equal
              (v128.or (local.get $a) (i8x16.splat (i32.const 0x20)))
              (v128.or (local.get $b) (i8x16.splat (i32.const 0x20)))
              (v128.or (local.get $c) (i8x16.splat (i32.const 0x20)))
              (v128.or (local.get $d) (i8x16.splat (i32.const 0x20)))
              (i8x16.splat (i32.const 0x7d)))))
        (local.set $closings (i32.wrap_i64 (i64.popcnt (local.get $close))))

        (if (i32.gt_s (i32.sub (local.get $depth) (local.get $closings)) (local.get $limit))
          (then
            ;; Too deep, whatever the order of its brackets.
            (local.set $depth
              (i32.sub
                (i32.add (local.get $depth) (i32.wrap_i64 (i64.popcnt (local.get $open))))
                (local.get $closings))))
          (else
            (local.set $marks
              (i64.or
                (i64.or (local.get $open) (local.get $close))
                (i64.and (local.get $outside)
                  (i64.or
                    (call $equal (local.get $a) (local.get $b) (local.get $c) (local.get $d)
                      (i8x16.splat (i32.const 0x2c)))
                    (call $equal (local.get $a) (local.get $b) (local.get $c) (local.get $d)
                      (i8x16.splat (i32.const 0x3a)))))))
            (block $noMore
              (loop $bits
                (br_if $noMore (i64.eqz (local.get $marks)))
                (local.set $bit
                  (i64.and (local.get $marks) (i64.sub (i64.const 0) (local.get $marks))))
                (local.set $depth
                  (i32.add (local.get $depth)
                    (i64.ne (i64.and (local.get $bit) (local.get $open)) (i64.const 0))))
                (if (i32.le_s (local.get $depth) (local.get $limit))
                  (then
                    (i32.store (local.get $out)
                      (i32.add
                        (i32.add (local.get $p) (local.get $shift))
                        (i32.wrap_i64 (i64.ctz (local.get $bit)))))
                    (local.set $out (i32.add (local.get $out) (i32.const 4)))))
                (local.set $depth
                  (i32.sub (local.get $depth)
                    (i64.ne (i64.and (local.get $bit) (local.get $close)) (i64.const 0))))
                (local.set $marks (i64.xor (local.get $marks) (local.get $bit)))
                (br $bits)))))
        (local.set $p (i32.add (local.get $p) (i32.const 64)))
        (br $blocks)))
    (i32.store (i32.const 0) (local.get $depth))
    (i64.store32 (i32.const 4) (local.get $string))
    (i64.store32 (i32.const 8) (local.get $escape))
    (i32.store (i32.const 12) (local.get $p))
    (local.get $out))

  ;; The position of the first $byte from $p on; $end or more if there is none before $end.
  (func (export "find") (param $p i32) (param $end i32) (param $byte i32) (result i32)
    (local $splat v128) (local $found i32)
    (local.set $splat (i8x16.splat (local.get $byte)))
    (block $none
      (loop $blocks
        (br_if $none (i32.ge_u (local.get $p) (local.get $end)))
        (local.set $found
          (i8x16.bitmask (i8x16.eq (v128.load (local.get $p)) (local.get $splat))))
        (if (local.get $found)
          (then (return (i32.add (local.get $p) (i32.ctz (local.get $found))))))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (br $blocks)))
    (local.get $p)))
