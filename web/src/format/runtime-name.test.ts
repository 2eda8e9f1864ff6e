import assert from "node:assert/strict";
import { test } from "node:test";
import { runtimeName, runtimeText } from "./runtime-name.ts";

const ROWS: [kind: string, version: string | null, name: string, text: string][] = [
  ["docker", "28.5.2", "Docker", "Docker 28.5.2"],
  ["docker", "Podman 4.3.1", "Podman", "Podman 4.3.1"],
  ["docker", "20.10.24+dfsg1", "Docker", "Docker 20.10.24+dfsg1"],
  ["docker", null, "Docker", "Docker"],
  ["swarm", "28.5.2", "Docker Swarm", "Docker Swarm 28.5.2"],
  ["other", null, "The container runtime", "The container runtime"],
];
for (const [kind, version, name, text] of ROWS)
  test(`${kind} ${version ?? "of no known version"} is ${text}`, () => {
    assert.deepEqual([runtimeName(kind, version), runtimeText(kind, version)], [name, text]);
  });
