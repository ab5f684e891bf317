// etcd as its project builds it, from its Go module. Built by `tests/cluster/build.ts`.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
