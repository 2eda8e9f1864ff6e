import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ecosystemOf, ecosystemOfConfig, type ImageConfiguration } from "./ecosystem.ts";

const PATH = "PATH=/usr/local/sbin:/usr/local/bin";
const BASE = "org.opencontainers.image.base.name";
const REF = "org.opencontainers.image.ref.name";

describe("the configuration of an image", () => {
  const rows: [what: string, config: Partial<ImageConfiguration>, expected: string | undefined][] = [
    ["of Python", { environment: [PATH, "PYTHON_VERSION=3.12.4", "PYTHON_SHA256=f0"], command: ["python3"] }, "python"],
    ["made from Node's", { environment: [PATH, "NODE_VERSION=22.4.0", "YARN_VERSION=1.22"], entrypoint: ["docker-entrypoint.sh"] }, "node"],
    ["made from Go's", { environment: ["GOLANG_VERSION=1.22"], command: ["bash"] }, "golang"],
    ["of a JRE", { environment: ["JAVA_HOME=/opt/java/openjdk", "JAVA_VERSION=jdk-21"], entrypoint: ["/__cacert_entrypoint.sh"] }, "java"],
    ["of Elixir, which stands on Erlang", { environment: ["OTP_VERSION=27.0", "ELIXIR_VERSION=v1.17"] }, "elixir"],
    ["of .NET", { environment: ["ASPNET_VERSION=8.0", "DOTNET_VERSION=8.0"] }, "dotnet"],
    ["of a program alone", { entrypoint: ["/app/venv/bin/gunicorn"], command: ["shop:app"] }, "python"],
    ["with a command line for a shell", { entrypoint: ["/bin/sh", "-c"], command: ["PORT=80 exec node server.js"] }, "node"],
    [
      "with a minder before the program",
      { entrypoint: ["/sbin/tini", "--", "/usr/bin/env", "A=1", "java"], command: ["-jar", "a.jar"] },
      "java",
    ],
    [
      "of two languages, of which one runs",
      { environment: ["NODE_VERSION=22", "PYTHON_VERSION=3"], command: ["python", "x.py"] },
      "python",
    ],
    ["of two languages, of which nobody says which runs", { environment: ["NODE_VERSION=22", "PYTHON_VERSION=3"] }, undefined],
    ["of Ubuntu", { environment: [PATH], labels: { [REF]: "ubuntu", "org.opencontainers.image.version": "24.04" } }, "ubuntu"],
    ["of Red Hat", { labels: { name: "ubi9/python" } }, "rhel"],
    ["of a language on Ubuntu", { environment: ["RUBY_VERSION=3.3"], labels: { [REF]: "ubuntu" } }, "ruby"],
    ["that names something else", { labels: { [REF]: "my-ubuntu-thing", name: "shop" } }, undefined],
    ["with a variable that only looks like one", { environment: ["MY_NODE_VERSION=22", "NODE_VERSIONS=1"] }, undefined],
    ["that says nothing", {}, undefined],
    ["with an entry that is empty", { environment: [""], entrypoint: [], command: [""] }, undefined],
    ["of a huge text", { environment: [`${"A".repeat(1e6)}=1`], command: ["sh", "-c", " ".repeat(1e6)] }, undefined],
    ["of env within env", { entrypoint: Array.from({ length: 50 }, () => "env") }, undefined],
  ];
  for (const [what, config, expected] of rows) {
    it(`${what} says ${expected ?? "nothing"}`, () =>
      assert.equal(ecosystemOfConfig({ environment: [], labels: {}, entrypoint: null, command: null, ...config }), expected));
  }

  it("comes after the label of the base, and before what is known of the name", () => {
    const labels = { [BASE]: "docker.io/library/alpine:3.20" };
    assert.deepEqual(ecosystemOf({ image: "postgres:17", labels }, "node"), { name: "alpine", source: "label" });
    assert.deepEqual(ecosystemOf({ image: "postgres:17", labels: {} }, "node"), { name: "node", source: "manifest" });
    assert.deepEqual(ecosystemOf({ image: "postgres:17", labels: {} }), { name: "debian", source: "known_image" });
  });
});
