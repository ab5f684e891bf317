import { describe, expect, test } from "vitest";
import { proxyFor, readProxyEnvironment } from "../../src/transport/proxy-settings.ts";
import { goAnswers } from "../support/go-no-proxy.ts";

const proxies = { HTTPS_PROXY: "http://proxy.test:3128", HTTP_PROXY: "http://plain.test:80" };

function proxyOf(address: string, except = ""): string | undefined {
  return proxyFor(new URL(address), readProxyEnvironment({ ...proxies, NO_PROXY: except }));
}

test.each([
  ["HTTP://proxy.test:3128", "http://proxy.test:3128/"],
  ["http:proxy.test:3128", "http://proxy.test:3128/"],
  ["http:\\\\me:pass@proxy.test", "http://me:pass@proxy.test/"],
  [" http://proxy.test ", "http://proxy.test"],
  ["ht\ntp://proxy.test", "http://proxy.test/"],
  ["SOCKS5://proxy.test", "socks5://proxy.test"],
  ["http://proxy.test:80", "http://proxy.test:80"],
  ["proxy.test:3128", "http://proxy.test:3128"],
  ["me:pass@proxy.test:3128", "http://me:pass@proxy.test:3128"],
])(
  "the proxy %j is normalized, so that no runtime ignores it as an invalid address",
  (given, used) => {
    const settings = readProxyEnvironment({ HTTPS_PROXY: given });
    expect(proxyFor(new URL("https://a.test"), settings)).toBe(used);
  },
);

describe("the proxy for an address", () => {
  test("is chosen by its scheme (TLS-9)", () => {
    expect(proxyOf("https://10.0.0.1:6443")).toBe("http://proxy.test:3128");
    expect(proxyOf("http://10.0.0.1:8001")).toBe("http://plain.test:80");
    expect(proxyFor(new URL("https://a.test"), readProxyEnvironment({}))).toBeUndefined();
  });

  test.each([
    [{ HTTPS_PROXY: "large.test", https_proxy: "small.test" }, "http://large.test"],
    [{ HTTPS_PROXY: "", https_proxy: "small.test:1" }, "http://small.test:1"],
    [{ https_proxy: "small.test:1" }, "http://small.test:1"],
  ])("of %j is the one in capital letters, as in Go, and may lack a scheme (TLS-9)", (...row) => {
    const [environment, proxy] = row;
    expect(proxyFor(new URL("https://a.test"), readProxyEnvironment(environment))).toBe(proxy);
  });

  test("is undefined for localhost (TLS-9)", () => {
    for (const host of ["localhost", "127.0.0.1", "127.8.9.1", "[::1]"]) {
      expect(proxyOf(`https://${host}:6443`)).toBeUndefined();
    }
  });

  test.each([
    ["10.0.0.0/8", "https://10.200.3.4:6443", true],
    ["10.0.0.0/8", "https://11.0.0.1", false],
    ["10.1.0.0/30", "https://10.1.0.3", true],
    ["10.1.0.0/30", "https://10.1.0.4", false],
    ["0.0.0.0/0", "https://9.9.9.9", true],
    ["10.0.0.0/33", "https://10.0.0.0", false],
    ["fd00::/8", "https://[fd12:3456::1]:443", true],
    ["fd00::/8", "https://[fe80::1]", false],
    ["10.0.0.0/8", "https://ten.test", false],
    ["2001:db8::1", "https://[2001:db8:0:0::1]", true],
    ["[2001:db8::1]:6443", "https://[2001:db8::1]:6443", true],
    ["[2001:db8::1]:6443", "https://[2001:db8::1]:443", false],
    ["192.168.0.1", "https://192.168.0.1:6443", true],
    ["cluster.test", "https://cluster.test", true],
    ["cluster.test", "https://api.cluster.test", true],
    ["cluster.test", "https://mycluster.test", false],
    [".cluster.test", "https://cluster.test", false],
    [".cluster.test", "https://api.cluster.test", true],
    ["*.cluster.test", "https://api.cluster.test", true],
    ["Cluster.Test", "https://cluster.test", true],
    ["cluster.test:6443", "https://cluster.test:6443", true],
    ["cluster.test:6443", "https://cluster.test", false],
    ["cluster.test:443", "https://cluster.test", true],
    ["a.test, b.test c.test", "https://c.test", true],
    ["*", "https://anything.test", true],
    ["", "https://anything.test", false],
  ])("with NO_PROXY=%s for %s: undefined is %s (TLS-9)", (except, address, isNone) => {
    expect(proxyOf(address, except) === undefined).toBe(isNone);
  });
});

test("every form of NO_PROXY means what it means to Go", () => {
  const ours = goAnswers.map(([url, except]) => [url, except, proxyOf(url, except) === undefined]);
  expect(ours).toEqual(goAnswers);
});

test("an IPv6 address in brackets needs no port, unlike in Go", () => {
  expect(proxyOf("http://[fd00::1]:8080", "[fd00::1]")).toBeUndefined();
});
