import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { z } from "zod";
import { readComposeFile } from "../../../../test/support/compose.ts";
import { temporaryFolder } from "../../../../test/support/program.ts";
import { fc } from "../../../../test/support/seed.ts";
import { parseYaml } from "../../../../test/support/yaml.ts";
import { agentArguments, type Installation, quoteCompose, quoteShell } from "./agent-command.ts";
import { installTemplates } from "./index.ts";

const run = promisify(execFile);

const INSTALLATION: Installation = {
  serverUrl: "grpcs://monitor.example.org:443",
  token: `svc_enr_${"k".repeat(52)}`,
  label: null,
  expiresAt: new Date("2026-03-02T12:00:00.000Z"),
  serverFingerprint: undefined,
};
const ARGUMENTS = ["--mode=agent", "--server=grpcs://monitor.example.org:443"];

const record = z.record(z.string(), z.unknown());

/** Runs shell text where `docker` and `stat` say how they were called. */
async function runWithRecordingDocker(text: string) {
  const folder = temporaryFolder();
  const calls = join(folder, "calls");
  const programs = join(folder, "bin");
  mkdirSync(programs);
  writeFileSync(join(programs, "docker"), `#!/bin/sh\nprintf '%s\\n' "$SERVICE_ENROLLMENT_TOKEN" "$@" > ${calls}\n`);
  writeFileSync(join(programs, "stat"), "#!/bin/sh\necho 4711\n");
  for (const name of ["docker", "stat"]) chmodSync(join(programs, name), 0o755);
  await run("sh", ["-euc", text], { env: { PATH: `${programs}:/usr/bin:/bin` } });
  const [token, ...args] = readFileSync(calls, "utf8").trimEnd().split("\n");
  return { token, args };
}

describe("the docker run template", () => {
  it("is one command whose arguments do not contain the token", async () => {
    const { token, args } = await runWithRecordingDocker(installTemplates(INSTALLATION).docker_run);
    assert.equal(token, INSTALLATION.token);
    assert.ok(!args.join(" ").includes("svc_enr_"));
    assert.deepEqual(args.slice(-3), ["binnacle", ...ARGUMENTS]);
    const valueOf = (option: string) => args.flatMap((arg, index) => (arg === option ? [args[index + 1]] : []));
    assert.deepEqual(valueOf("--env"), ["SERVICE_ENROLLMENT_TOKEN"]);
    assert.deepEqual(valueOf("--group-add"), ["4711"]);
    assert.deepEqual(valueOf("--volume"), ["binnacle-agent:/data", "/proc:/host/proc:ro", "/var/run/docker.sock:/var/run/docker.sock:ro"]);
    for (const option of ["--read-only", "--detach"]) assert.ok(args.includes(option), option);
    assert.ok(!args.includes("--privileged"));
  });

  it("names the fingerprint of a certificate that no authority vouches for, and never skips the check", () => {
    assert.ok(!installTemplates(INSTALLATION).docker_run.includes("fingerprint"));
    const serverFingerprint = `sha256:${"0f".repeat(32)}`;
    for (const text of Object.values(installTemplates({ ...INSTALLATION, serverFingerprint })).slice(1)) {
      assert.ok(text.includes(`--server-fingerprint=${serverFingerprint}`));
      assert.ok(!text.includes("skip"));
    }
  });

  it("hands any text over as it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary-ascii" }), async (text) => {
        fc.pre(!text.includes("\0"));
        const { stdout } = await run("sh", ["-c", `printf %s ${quoteShell(text)}`]);
        assert.equal(stdout, text);
      }),
      { numRuns: 40 },
    );
  });
});

describe("the compose template", () => {
  async function config(text: string, env: Record<string, string>): Promise<Record<string, unknown>> {
    const file = join(temporaryFolder(), "compose.yaml");
    writeFileSync(file, text);
    const stdout = await readComposeFile(file, env);
    const [parsed] = await parseYaml(stdout);
    return record.parse(parsed);
  }

  it("is taken by Compose as it is meant", async () => {
    const { services, volumes } = await config(installTemplates(INSTALLATION).docker_compose, { DOCKER_GID: "4711" });
    const agent = record.parse(record.parse(services)["agent"]);
    assert.deepEqual(agent["command"], ARGUMENTS);
    assert.deepEqual(agent["environment"], { SERVICE_ENROLLMENT_TOKEN: INSTALLATION.token });
    assert.deepEqual(agent["group_add"], ["4711"]);
    assert.deepEqual(agent["volumes"], ["agent:/data:rw", "/proc:/host/proc:ro", "/var/run/docker.sock:/var/run/docker.sock:ro"]);
    assert.deepEqual([agent["image"], agent["read_only"], agent["cap_drop"]], ["binnacle", true, ["ALL"]]);
    assert.deepEqual([agent["mem_limit"], agent["privileged"]], ["256m", undefined]);
    assert.deepEqual(Object.keys(record.parse(volumes)), ["agent"]);
  });

  it("says what is missing without the group", async () => {
    await assert.rejects(config(installTemplates(INSTALLATION).docker_compose, {}), /DOCKER_GID.*group of the socket/s);
  });

  it("keeps a dollar a dollar", async () => {
    const text = `version: "3.8"\nservices:\n  a:\n    image: x\n    command: [${quoteCompose('a$b${c}"\\')}]\n`;
    const { services } = await config(text, {});
    // What `config` prints is a compose file again.
    assert.deepEqual(record.parse(record.parse(services)["a"])["command"], ['a$$b$${c}"\\']);
  });
});

it("the standalone template is a notice without a token", () => {
  const { standalone } = installTemplates(INSTALLATION);
  assert.match(standalone, /not released yet/);
  assert.ok(!standalone.includes("svc_enr_"));
});

it("no template has the token among the arguments", () => {
  assert.ok(!agentArguments(INSTALLATION).join(" ").includes(INSTALLATION.token));
});
