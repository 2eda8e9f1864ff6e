import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StartError } from "../../../platform/errors.ts";
import { accessOfContext, parseKubeconfig } from "./kubeconfig.ts";

const PEM = "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n";
const DATA = Buffer.from(PEM).toString("base64");

interface Parts {
  cluster?: object;
  user?: object;
  context?: object;
}

function config({ cluster = {}, user = {}, context = {} }: Parts = {}): string {
  return JSON.stringify({
    "current-context": "one",
    clusters: [{ name: "c", cluster: { server: "https://api.test:6443", ...cluster } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "one", context: { cluster: "c", user: "u", ...context } }],
  });
}

const access = (parts?: Parts) => accessOfContext([parseKubeconfig("/home/me/.kube/config", config(parts))]);

describe("kubeconfig", () => {
  it("reads what kubectl writes", () => {
    const yaml = `
apiVersion: v1
kind: Config
current-context: kind-dev
clusters:
- name: kind-dev
  cluster:
    certificate-authority-data: ${DATA}
    server: https://127.0.0.1:34567
contexts:
- name: kind-dev
  context: {cluster: kind-dev, user: kind-dev, namespace: shop}
users:
- name: kind-dev
  user:
    client-certificate-data: ${DATA}
    client-key-data: ${DATA}
`;
    assert.deepEqual(accessOfContext([parseKubeconfig("/c", yaml)]), {
      address: "https://127.0.0.1:34567",
      origin: "context kind-dev of /c",
      host: "127.0.0.1",
      port: 34567,
      isTls: true,
      basePath: "",
      namespace: "shop",
      authority: { kind: "text", text: PEM },
      isVerified: true,
      serverName: null,
      identity: { token: null, certificate: { certificate: { kind: "text", text: PEM }, key: { kind: "text", text: PEM } }, plugin: null },
    });
  });

  it("takes files from the folder of the kubeconfig", () => {
    const { authority, identity } = access({ cluster: { "certificate-authority": "ca.pem" }, user: { tokenFile: "../token" } });
    assert.deepEqual(authority, { kind: "file", path: "/home/me/.kube/ca.pem" });
    assert.deepEqual(identity.token, { kind: "file", path: "/home/me/token" });
  });

  it("takes the token file where a token is given too, and data where a file is named too", () => {
    const { authority, identity } = access({
      cluster: { "certificate-authority": "/ca.pem", "certificate-authority-data": DATA },
      user: { token: "abc", tokenFile: "/t" },
    });
    assert.deepEqual(authority, { kind: "text", text: PEM });
    assert.deepEqual(identity.token, { kind: "file", path: "/t" });
  });

  it("keeps the path of a server behind a gateway", () => {
    const found = access({ cluster: { server: "https://rancher.test/k8s/clusters/c-1/" } });
    assert.equal(found.address, "https://rancher.test:443/k8s/clusters/c-1");
    assert.equal(found.basePath, "/k8s/clusters/c-1");
  });

  it("takes an address of IPv6", () => {
    const found = access({ cluster: { server: "https://[fd00::1]:6443" } });
    assert.deepEqual([found.address, found.host, found.port], ["https://[fd00::1]:6443", "fd00::1", 6443]);
  });

  it("takes a server without TLS only where nothing secret is sent", () => {
    assert.equal(access({ cluster: { server: "http://127.0.0.1:8001" } }).isTls, false);
    assert.throws(() => access({ cluster: { server: "http://api.test" }, user: { token: "abc" } }), /would show them to the network/);
  });

  it("lets the first of several files decide what a name means", () => {
    const first = parseKubeconfig("/one", JSON.stringify({ clusters: [{ name: "c", cluster: { server: "https://first.test" } }] }));
    const second = parseKubeconfig("/two", config({ cluster: { server: "https://second.test" } }));
    assert.equal(accessOfContext([first, second]).host, "first.test");
    assert.equal(accessOfContext([second, first]).host, "second.test");
  });

  it("takes the context that was asked for", () => {
    assert.throws(() => accessOfContext([parseKubeconfig("/c", config())], { context: "two" }), /has no context two\. It has one/);
    assert.throws(() => accessOfContext([parseKubeconfig("/c", "{}")]), /has no current context/);
  });

  it("names the plug-in, its arguments and its environment", () => {
    const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "./login", args: ["a"], env: [{ name: "X", value: "1" }] };
    const { identity } = accessOfContext([parseKubeconfig("/k/config", config({ user: { exec } }))], {
      variables: { PATH: "/bin", X: "0" },
    });
    assert.deepEqual(identity.plugin, {
      ...{ apiVersion: exec.apiVersion, command: "/k/login", args: ["a"], environment: { PATH: "/bin", X: "1" } },
      ...{ cluster: null, installHint: null },
    });
  });

  const refused: [string, Parts, RegExp][] = [
    ["a proxy", { cluster: { "proxy-url": "http://proxy" } }, /proxy-url, which is not supported/],
    ["an auth provider", { user: { "auth-provider": { name: "gcp" } } }, /auth-provider, which is not supported/],
    ["a password", { user: { username: "me", password: "hidden" } }, /user name with a password/],
    ["an impersonation", { user: { token: "hidden", as: "root" } }, /impersonation/],
    ["a certificate without its key", { user: { "client-certificate": "/c" } }, /without its key/],
    ["an authority that is no PEM", { cluster: { "certificate-authority-data": "hidden" } }, /no PEM in base64/],
    ["a server that is no address", { cluster: { server: "api.test:6443" } }, /is no https:\/\/ address/],
    ["credentials in the address", { cluster: { server: "https://me:hidden@api.test" } }, /must be https:\/\/host:port/],
    ["a context without its cluster", { context: { cluster: "x" } }, /The cluster "x" of .* is not in/],
    ["a context without its user", { context: { user: "x" } }, /The user "x" of .* is not in/],
    [
      "a plug-in that asks a person",
      { user: { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "x", interactiveMode: "Always" } } },
      /always asks a person/,
    ],
    ["a plug-in of another API", { user: { exec: { apiVersion: "v9", command: "x" } } }, /asks for v9/],
  ];
  for (const [what, parts, message] of refused) {
    it(`refuses ${what} with a sentence that shows no secret`, () => {
      assert.throws(
        () => access(parts),
        (error) => error instanceof StartError && message.test(error.message) && !error.message.includes("hidden"),
      );
    });
  }

  it("refuses what is no YAML, or no kubeconfig, without quoting it", () => {
    for (const text of ["a: [hidden", "- hidden", `{"users":"hidden"}`, "a: &a [x]\nb: *c"]) {
      assert.throws(
        () => accessOfContext([parseKubeconfig("/c", text)]),
        (error) => error instanceof StartError && !error.message.includes("hidden"),
        text,
      );
    }
  });

  it("does not unfold aliases without end", () => {
    const levels = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(", ")}]`);
    assert.throws(() => parseKubeconfig("/c", ["l0: &l0 [x]", ...levels].join("\n")), StartError);
  });
});
