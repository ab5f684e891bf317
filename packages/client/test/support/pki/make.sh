#!/usr/bin/env bash
# Makes the certificates of the tests again: authorities, servers and clients. They are good for a
# hundred years, except the expired one, and for nothing but these tests.
set -euo pipefail
cd "$(dirname "$0")"
key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
days=36500
for name in ca other-ca chain-root; do
  openssl req -x509 "${key[@]}" -keyout $name.key -out $name.crt -days $days -subj "/CN=$name"
done
# Name, subject, extensions, authority.
issue() {
  local issuer=${4:-ca}
  openssl req "${key[@]}" -keyout "$1.key" -out "$1.csr" -subj "$2"
  openssl x509 -req -in "$1.csr" -CA "$issuer.crt" -CAkey "$issuer.key" -CAcreateserial -out "$1.crt" -days $days -extfile <(echo -e "$3")
}
# Name, extensions, days.
self_issue() {
  openssl req "${key[@]}" -keyout "$1.key" -out "$1.csr" -subj "/CN=$1"
  openssl x509 -req -in "$1.csr" -signkey "$1.key" -out "$1.crt" -days "$3" ${2:+-extfile <(echo -e "$2")}
}
issue server /CN=server "subjectAltName=IP:127.0.0.1,DNS:localhost"
issue named /CN=named "subjectAltName=DNS:kubernetes.test"
issue client /O=system:masters/CN=kubernetes-admin "extendedKeyUsage=clientAuth"
issue renewed /O=system:masters/CN=renewed-admin "extendedKeyUsage=clientAuth"
# A chain: root, two intermediate authorities below it, their servers.
authority="basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign"
address="subjectAltName=IP:127.0.0.1,DNS:localhost"
issue chain-upper /CN=chain-upper "$authority" chain-root
issue chain-lower /CN=chain-lower "$authority" chain-upper
issue chain-server /CN=chain-server "$address\nextendedKeyUsage=serverAuth" chain-lower
issue chain-sibling /CN=chain-sibling "$address\nextendedKeyUsage=serverAuth" chain-lower
# Without an authority that others use: signed by the server itself; the last one has ended.
self_issue own "$address\nextendedKeyUsage=serverAuth" "$days"
self_issue own-for-clients "$address\nextendedKeyUsage=clientAuth" "$days"
self_issue expired "$address" -1
# X.509 version 1 has no extensions: an authority with a server, and a client.
self_issue old-ca "" "$days"
issue old-server /CN=old-server "$address" old-ca
openssl req "${key[@]}" -keyout old-client.key -out old-client.csr -subj /CN=old-client
openssl x509 -req -in old-client.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out old-client.crt -days $days
openssl pkcs8 -topk8 -in client.key -out client.encrypted.key -passout pass:secret
rm -f ./*.csr ./*.srl {ca,other-ca,old-ca,chain-root,chain-upper,chain-lower}.key
