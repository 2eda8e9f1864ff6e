/** The store of logs, filled as ingestion fills it: for the folder, the containers and the moments of the first and the last line given as arguments. */
import { MINUTE_MS } from "../../../src/contract/time.ts";
import { createLogStore, type LogStore } from "../../../src/monitoring/logs/index.ts";
import { silentLog } from "../../../src/platform/log.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { makeLogs, RARE } from "../log-lines.ts";
import { serveQuestions } from "../questions.ts";

interface Owner {
  id: number;
  firstSeenAt: Date;
}

const [folder = "", owners = "[]", fromMs = "", untilMs = ""] = process.argv.slice(2);
const OWNERS = (JSON.parse(owners) as { id: number; first_seen_at: string }[]).map(({ id, first_seen_at: firstSeenAt }): Owner => ({
  id,
  firstSeenAt: new Date(firstSeenAt),
}));
const RETENTION_MS = 30 * 24 * 60 * MINUTE_MS;
/** Turns after which new lines are written to the disk, and after which limits are applied. */
const FLUSH_EVERY = 10;
const PRUNE_EVERY = 50;
/** Turns of which the length of a line is taken. */
const SAMPLED = 5;
/** The turn, of a hundred, that has the lines that are rare. */
const RARE_AT = 0.08;

const clock = createFakeClock(new Date(Number(fromMs)));
const never = new AbortController().signal;
const logs = makeLogs();

serveQuestions(0, {
  /** Fills the store with so many bytes of text, line ends counted, spread over the time by turns of all containers. */
  async write({ write }) {
    const store = createLogStore({ folder, retentionMs: RETENTION_MS, maxBytes: 2 ** 30, clock, log: silentLog });
    await store.open();
    const turns = Math.max(Math.round(Number(write) / bytesOfTurn()), 1);
    const turnMs = (Number(untilMs) - Number(fromMs)) / turns;
    const written = { bytes: 0, lines: 0, rss: 0 };
    const before = { cpu: process.cpuUsage(), ms: performance.now(), rss: process.memoryUsage.rss() };
    for (let turn = 0; turn < turns; turn += 1) {
      clock.jump(new Date(Number(fromMs) + (turn + 1) * turnMs));
      for (const [container, owner] of OWNERS.entries()) {
        const isRare = turn === Math.floor(turns * RARE_AT) && logs.names[container]?.startsWith("checkout") === true;
        const made = await addTurn(store, { owner, container, atMs: Number(fromMs) + turn * turnMs, turnMs, isRare });
        written.bytes += made.bytes;
        written.lines += made.lines;
      }
      if (turn % FLUSH_EVERY === 0) await store.flush();
      if (turn % PRUNE_EVERY === 0) await store.prune();
      written.rss = Math.max(written.rss, process.memoryUsage.rss());
    }
    await store.flush();
    const { user, system } = process.cpuUsage(before.cpu);
    return {
      ...{ bytes: written.bytes, lines: written.lines, storedBytes: store.bytes() },
      ...{ seconds: (performance.now() - before.ms) / 1000, cpuMicroseconds: user + system, residentBytes: written.rss - before.rss },
    };
  },
});

interface Turn {
  owner: Owner;
  container: number;
  atMs: number;
  turnMs: number;
  isRare: boolean;
}

/** What one container writes in a turn, handed to the store as one batch. */
async function addTurn(store: LogStore, { owner, container, atMs, turnMs, isRare }: Turn): Promise<{ bytes: number; lines: number }> {
  const share = logs.share(container);
  const lines = Array.from({ length: share }, (_, index) => {
    const timestamp = new Date(Math.floor(atMs + (index / share) * turnMs));
    return logs.next(container, timestamp).map((text) => ({ timestamp, stream: "stdout" as const, text }));
  }).flat();
  if (isRare)
    lines.push({ timestamp: new Date(Math.floor(atMs + turnMs - 1)), stream: "stdout", text: `released by ${RARE} of the warehouse` });
  await store.add(owner, lines, never);
  return { bytes: lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0), lines: lines.length };
}

/** About how much all containers write in a turn. */
function bytesOfTurn(): number {
  let bytes = 0;
  for (let turn = 0; turn < SAMPLED; turn += 1)
    for (const container of OWNERS.keys())
      for (let line = 0; line < logs.share(container); line += 1)
        for (const text of logs.next(container, clock.now())) bytes += Buffer.byteLength(text) + 1;
  return bytes / SAMPLED;
}
