import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { runProgram, runScript, startPingRecorder } from "../../../test/support/job-programs.ts";
import type { Snippets } from "./answers.ts";
import type { Schedule } from "./schedule.ts";
import { snippetsFor } from "./snippets.ts";

const cron: Schedule = { kind: "cron", cron: "0 3 * * *", timezone: "Europe/Berlin" };
/** Whatever people call a job must not get into what is run. */
const name = `Job "x" 100% $(touch /tmp/pwned) 'q' \\`;
const JOB = "/path/to/job";

describe("a snippet, run as it stands, reports", () => {
  let recorder: Awaited<ReturnType<typeof startPingRecorder>>;
  let snippets: Snippets;
  before(async () => {
    recorder = await startPingRecorder();
    snippets = snippetsFor({ name, schedule: cron, url: `${recorder.url}/ping/the-uuid` });
  });
  after(() => recorder.stop());
  beforeEach(() => void recorder.asked.splice(0));

  const asked = (...paths: string[]): void =>
    assert.deepEqual(
      recorder.asked,
      paths.map((path) => `/ping/the-uuid${path}`),
    );

  it("with curl", async () => {
    assert.equal(await runScript(snippets.curl), 0);
    asked("");
  });

  it("with wget", async () => {
    assert.equal(await runScript(snippets.wget), 0);
    asked("");
  });

  it("from a crontab", async () => {
    const line = snippets.crontab.trimEnd().split("\n").at(-1) ?? "";
    assert.equal(line.split(" ").slice(0, 5).join(" "), "0 3 * * *");
    const command = line.split(" ").slice(5).join(" ");
    assert.ok(!command.includes("%"), "cron takes a percent sign for the end of the line");
    await runScript(command.replace(JOB, "(exit 7)"));
    asked("/start", "/7");
  });

  for (const [what, env, end] of [
    ["a success", { EXIT_CODE: "exited", EXIT_STATUS: "0" }, "/0"],
    ["a failure", { EXIT_CODE: "exited", EXIT_STATUS: "203" }, "/203"],
    ["a signal", { EXIT_CODE: "killed", EXIT_STATUS: "TERM" }, "/fail"],
  ] as const) {
    it(`from a systemd unit: ${what}`, async () => {
      /** As systemd reads the command of a directive. */
      const scriptOf = (directive: string): string => {
        const [, quoted = ""] = new RegExp(`^${directive}=-/bin/sh -c "(.*)"$`, "m").exec(snippets.systemd) ?? [];
        return quoted.replaceAll('\\"', '"').replaceAll("$$", "$").replaceAll("%%", "%");
      };
      await runScript(scriptOf("ExecStartPre"), env);
      await runScript(scriptOf("ExecStopPost"), env);
      asked("/start", end);
    });
  }

  for (const [what, job, end] of [
    ["a success", "pass", ""],
    ["an exception", "raise ValueError", "/fail"],
  ] as const) {
    it(`with Python: ${what}`, async () => {
      await runProgram("python3", ["-c", snippets.python.replace("...", job)]);
      asked("/start", end);
    });
  }

  it("from a GitHub workflow", async () => {
    const [, command = ""] = /^ {2}run: (.*)$/m.exec(snippets.github_actions) ?? [];
    assert.equal(await runScript(command, { PING_URL: `${recorder.url}/ping/the-uuid`, OUTCOME: "1" }), 0);
    asked("/1");
    assert.ok(!/^\s*[^#\s].*the-uuid/m.test(snippets.github_actions), "a workflow is read by many; the address is a secret");
  });

  it("from a Kubernetes CronJob, and ends as its job did", async () => {
    const [, block = ""] = /- \|\n((?: {18}.*\n)+)/.exec(snippets.kubernetes_cronjob) ?? [];
    const script = block.replaceAll(/^ {18}/gm, "").replace(JOB, "(exit 4)");
    assert.equal(await runScript(script, { PING_URL: `${recorder.url}/ping/the-uuid` }), 4);
    asked("/start", "/4");
    assert.match(snippets.kubernetes_cronjob, /^ {2}schedule: "0 3 \* \* \*"\n {2}timeZone: "Europe\/Berlin"$/m);
    assert.match(snippets.kubernetes_cronjob, /^ {2}name: job-x-100-touch-tmp-pwned-q$/m);
  });
});

it("PowerShell reports a code out of range as a failure", () => {
  const { powershell } = snippetsFor({ name, schedule: cron, url: "https://watch.example/ping/the-uuid" });
  assert.match(powershell, /^\$ping = 'https:\/\/watch\.example\/ping\/the-uuid'$/m);
  assert.match(powershell, /-ge 0 -and \$LASTEXITCODE -le 255\) \{ \$LASTEXITCODE \} else \{ 'fail' \}/);
});

describe("an interval becomes the nearest cron line that is at least as often", () => {
  const cases: [seconds: number, line: string][] = [
    [30, "* * * * *"],
    [60, "* * * * *"],
    [300, "*/5 * * * *"],
    [420, "*/6 * * * *"],
    [2700, "*/30 * * * *"],
    [3600, "0 * * * *"],
    [5 * 3600, "0 */4 * * *"],
    [86_400, "0 0 * * *"],
    [604_800, "0 0 * * 0"],
    [31 * 86_400, "0 0 1 * *"],
    [31_536_000, "0 0 1 * *"],
    [366 * 86_400, "0 0 1 1 *"],
  ];
  for (const [intervalSeconds, line] of cases) {
    it(`${intervalSeconds} s: ${line}`, () => {
      const { crontab } = snippetsFor({ name: "x", schedule: { kind: "interval", intervalSeconds, timezone: "UTC" }, url: "https://x" });
      assert.ok(crontab.includes(`\n${line} curl`), crontab);
    });
  }
});
