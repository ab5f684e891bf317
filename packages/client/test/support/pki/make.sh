#!/usr/bin/env bash
# Makes the certificates of the tests again: two authorities, two servers, two clients. They are
# good for a hundred years and for nothing but these tests.
set -euo pipefail
cd "$(dirname "$0")"
key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
days=36500
for name in ca other-ca; do
  openssl req -x509 "${key[@]}" -keyout $name.key -out $name.crt -days $days -subj "/CN=$name"
done
issue() {
  openssl req "${key[@]}" -keyout "$1.key" -out "$1.csr" -subj "$2"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -out "$1.crt" -days $days -extfile <(echo "$3")
}
issue server /CN=server "subjectAltName=IP:127.0.0.1,DNS:localhost"
issue named /CN=named "subjectAltName=DNS:kubernetes.test"
issue client /O=system:masters/CN=kubernetes-admin "extendedKeyUsage=clientAuth"
issue renewed /O=system:masters/CN=renewed-admin "extendedKeyUsage=clientAuth"
openssl pkcs8 -topk8 -in client.key -out client.encrypted.key -passout pass:secret
rm -f ./*.csr ./*.srl ca.key other-ca.key
