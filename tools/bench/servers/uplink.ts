/** The agent's real uplink and spool, without a collector: a host of so many containers, as the one argument says, shows a day within seconds. */
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { HOUR_MS } from "../../../src/contract/time.ts";
import { createUplink, type Uplink } from "../../../src/fleet/uplink/index.ts";
import { type Observation, TICK_MS } from "../../../src/observations.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { type Log, silentLog } from "../../../src/platform/log.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { until } from "../../../test/support/until.ts";
import { showHosts } from "../agents/host.ts";
import { residentBytes, serveQuestions } from "../questions.ts";

const MEMORY_BYTES = 16_777_216;
const DISK_BYTES = 134_217_728;
/** Of what waits, so that the oldest hour does not go while it is sent. */
const KEPT_MS = 25 * HOUR_MS;
const PATIENT = { withinMs: 300_000, everyMs: 10 };
/** Ticks made in one go; between two of them the uplink gets its turn. */
const AT_ONCE = 60;

const containers = Number(process.argv[2]);
let uplink: Uplink | undefined;
let inventory: (at: Date) => Observation = () => {
  throw new Error("nothing was shown yet");
};
let askedToWait = 0;
let connectedMs = 0;

const log: Log = {
  ...silentLog,
  debug: (_fields, message) => void (message === "the server asks to wait" && (askedToWait += 1)),
  warn: (fields, message) => console.error(message, fields),
  error: (fields, message) => console.error(message, fields),
};

function open(grpcPort: number, token: string): Uplink {
  return createUplink({
    server: { host: "127.0.0.1", port: grpcPort, isPlain: true },
    skipTlsVerify: false,
    serverFingerprint: undefined,
    trust: () => createSecureContext(),
    dataDir: join(temporaryFolder(), "agent"),
    enrollmentToken: token,
    label: "replayer",
    spool: { maxMemoryBytes: MEMORY_BYTES, maxDiskBytes: DISK_BYTES, maxAgeMs: KEPT_MS },
    logs: () => {
      throw new Error("no log is asked for");
    },
    clock: systemClock,
    log,
  });
}

serveQuestions(0, {
  /** So many hours until now, seen while the server cannot be reached. */
  async fill({ fill: hours, grpcPort, token }) {
    await uplink?.stop();
    const [host] = showHosts(1, containers);
    if (host === undefined) throw new Error("no host");
    ({ inventory } = host);
    uplink = open(Number(grpcPort), String(token));
    const toMs = Math.floor(Date.now() / TICK_MS) * TICK_MS;
    const fromMs = toMs - Number(hours) * HOUR_MS;
    const before = process.cpuUsage();
    let events = 0;
    let largest = 0;
    for (let ms = fromMs; ms < toMs; ms += TICK_MS) {
      for (const observation of host.spooledTick(new Date(ms), new Date(fromMs))) {
        uplink.observe(null, observation);
        events += 1;
      }
      largest = Math.max(largest, uplink.status().bytes);
      if ((ms / TICK_MS) % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const { user, system } = process.cpuUsage(before);
    return { ...uplink.status(), events, largest, cpu: user + system, resident: residentBytes(process.pid) };
  },
  /** Connects, and sends what waits; answers how long that took from the welcome on. */
  async replay() {
    const replaying = uplink;
    if (replaying === undefined) throw new Error("nothing waits");
    askedToWait = 0;
    const { queued } = replaying.status();
    replaying.start({
      hello: () => ({ version: "1", hostname: "replayer", os: "linux", arch: "x64", runtime: "docker", capabilities: [] }),
      async refresh() {
        connectedMs = performance.now();
        replaying.observe(null, inventory(new Date()));
      },
      report: () => undefined,
    });
    await until(() => replaying.status().connected && replaying.status().queued === 0, PATIENT);
    const seconds = (performance.now() - connectedMs) / 1000;
    return { seconds, events: queued, askedToWait, dropped: replaying.status().dropped };
  },
  async stop() {
    await uplink?.stop();
    uplink = undefined;
    return {};
  },
});
