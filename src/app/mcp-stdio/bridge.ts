import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type Clock, pause, systemClock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import { mcpSocketOf } from "./stdio-command.ts";
import { connectTo, type LineSocket, readLines } from "./line-socket.ts";
import { createMemory, failureOf, isAnswer, isRequest, parseMessage, type Message } from "./memory.ts";

export interface McpStdioOptions {
  /** Of the instance whose answers are passed on. */
  dataDir: string;
  input?: Readable;
  output?: Writable;
  errors?: Writable;
  clock?: Clock;
}

const MOST_LINE_BYTES = 1_048_576;
/** An instance that was there comes back within this time when it is restarted. */
const RESTART_MS = 5_000;
const RETRY_MS = 250;
/** How often it is looked for after that. */
const COME_BACK_MS = 2_000;
/** How long the last answers are waited for when the client ends its input. */
const FAREWELL_MS = 5_000;
/** How long its answers to what is replayed are waited for. */
const HELLO_MS = 10_000;

/**
 * Passes MCP on between standard input and output and the instance that runs on the same data; 0 when the input has ended. It needs no database and no
 * port. When the instance is restarted, the client only notices that its pending requests fail.
 */
export async function runMcpStdio({
  dataDir,
  input = process.stdin,
  output = process.stdout,
  errors = process.stderr,
  clock = systemClock,
}: McpStdioOptions): Promise<number> {
  const path = mcpSocketOf(dataDir);
  const memory = createMemory();
  /** By the JSON of its id, whether it is waited for at the end. */
  const underWay = new Map<string, { message: Message; isWaitedFor: boolean }>();
  const ended = new AbortController();
  // Standard output says so of every write that fails.
  const outputFailed = new Promise<void>((resolve) => output.on("error", () => resolve()));
  errors.on("error", () => undefined);
  let instance: LineSocket | undefined;
  let opening: Promise<LineSocket | undefined> | undefined;
  let wasThere = false;
  let isAbsenceReported = false;

  function write(line: string): boolean {
    return output.write(`${line}\n`);
  }

  function fail(message: Message, sentence: string): void {
    if (isRequest(message)) write(failureOf(message.id, -32_000, sentence));
  }

  async function fromInstance(line: string): Promise<void> {
    const message = parseMessage(line);
    if (message !== undefined && isAnswer(message)) {
      if (memory.settle(message.id)) return;
      underWay.delete(JSON.stringify(message.id));
    }
    if (!write(line)) await Promise.race([once(output, "drain"), outputFailed]);
  }

  function lost(): void {
    instance = undefined;
    memory.forgetOwn();
    for (const { message } of underWay.values()) fail(message, "Binnacle was stopped or restarted before it answered. Ask again.");
    underWay.clear();
    if (memory.isInitialized()) void comeBack();
  }

  /** Subscriptions are restored as soon as the instance is back. */
  async function comeBack(): Promise<void> {
    // It may take connections and end them at once, when too many are open.
    await pause(clock, RETRY_MS, ended.signal);
    while (!ended.signal.aborted && (await connection()) === undefined) await pause(clock, COME_BACK_MS, ended.signal);
  }

  /** The instance; undefined when it is not there. */
  async function open(): Promise<LineSocket | undefined> {
    const until = clock.monotonicMs() + (wasThere ? RESTART_MS : 0);
    for (;;) {
      try {
        const socket = await connectTo(path, { onLine: fromInstance, onClosed: lost });
        wasThere = true;
        isAbsenceReported = false;
        instance = socket;
        return socket;
      } catch (error) {
        if (clock.monotonicMs() >= until || ended.signal.aborted) {
          if (!isAbsenceReported) errors.write(`${absence(path)} (${messageOf(error)})\n`);
          isAbsenceReported = true;
          wasThere = false;
          return undefined;
        }
        await pause(clock, RETRY_MS, ended.signal);
      }
    }
  }

  async function connection(): Promise<LineSocket | undefined> {
    if (instance !== undefined) return instance;
    opening ??= open()
      .then(async (socket) => {
        // A new instance knows nothing of this client.
        if (socket !== undefined) await Promise.race([memory.replay(socket), pause(clock, HELLO_MS, ended.signal)]);
        // It may have gone again meanwhile.
        return instance;
      })
      .finally(() => (opening = undefined));
    return opening;
  }

  async function fromClient(line: string): Promise<void> {
    if (line.trim() === "") return;
    const message = parseMessage(line);
    if (message === undefined) {
      const isBatch = line.trimStart().startsWith("[");
      write(
        failureOf(
          null,
          isBatch ? -32_600 : -32_700,
          isBatch ? "There are no batches over standard input." : "This line is not a message of JSON-RPC.",
        ),
      );
      return;
    }
    const socket = await connection();
    memory.note(message, line);
    if (socket === undefined) return fail(message, absence(path));
    if (isRequest(message)) underWay.set(JSON.stringify(message.id), { message, isWaitedFor: message.method !== "subscriptions/listen" });
    await socket.send(line);
  }

  await Promise.race([
    outputFailed,
    readLines(input, {
      mostBytes: MOST_LINE_BYTES,
      onLine: fromClient,
      onTooLong: () => void write(failureOf(null, -32_600, "A line may have 1 MB.")),
    }),
  ]);
  const until = clock.monotonicMs() + FAREWELL_MS;
  const isWaiting = (): boolean => [...underWay.values()].some(({ isWaitedFor }) => isWaitedFor);
  while (isWaiting() && clock.monotonicMs() < until) await pause(clock, 20);
  ended.abort();
  instance?.close();
  // A program that reads no more may keep its end open.
  input.destroy();
  return 0;
}

function absence(path: string): string {
  return `No Binnacle listens at ${path}. Start it on this host with the same data folder (SERVICE_DATA_DIR or --data-dir), then ask again.`;
}
