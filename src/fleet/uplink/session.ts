import { create } from "@bufbuild/protobuf";
import { type Clock, pause, type Timer } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { cleanName } from "../../platform/text.ts";
import { signChallenge } from "../handshake.ts";
import type { AgentHello } from "../seams.ts";
import { AuthResponseSchema, encodeAgentMessage, RUNTIMES, type ServerMessage, SpoolStatusSchema, type Welcome } from "../wire/index.ts";
import { type AgentLogs, type Commands, createCommands } from "./commands.ts";
import type { Identity } from "./identity.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { type LiveEvent, Sender } from "./sender.ts";
import type { StreamEnd } from "./schedule.ts";
import type { Spool } from "./spool/index.ts";
import type { PushCall } from "./transport.ts";

export const PROTOCOL = 1;
/** From opening the stream to the server's welcome. */
const WELCOME_WITHIN_MS = 20_000;
/** How long a listing may hold up what is live. */
const INVENTORY_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 1000;
const STATUS_EVERY_MS = 5000;

export interface SessionOptions {
  identity: Identity;
  hello: () => AgentHello;
  spool: Spool;
  logs: AgentLogs;
  /** Has the collector list everything now; resolves once that was observed. */
  refresh: (signal: AbortSignal) => Promise<void>;
  /** Takes the live events that were not acknowledged, in order, before anything that is observed after the end. */
  unsure: (events: readonly LiveEvent[]) => void;
  /** How many observations were too large since the start. */
  oversize: () => number;
  clock: Clock;
  log: Log;
}

/** One stream, from its opening to its end. */
export interface Session {
  /** Takes an event if it can go to the server now; else it is for the spool. One that `begins` begins what is live. */
  take(event: LiveEvent, begins: boolean): boolean;
  readonly isLive: boolean;
  /** What the server takes of a listing in parts, 0 for none; undefined until it has welcomed us: nothing can be listed before. */
  readonly maxListingBytes: number | undefined;
  /** Finishes what is live within that time, then ends the stream. */
  finish(withinMs: number): Promise<void>;
  /** Resolves once. */
  readonly ended: Promise<StreamEnd & Refusal>;
}

/**
 * Speaks with the server over one stream: proves who it is, has everything listed, and from that listing on sends what is live at once and what
 * waits in the spool between. What happens before the listing is part of what waits.
 */
export function openSession(call: PushCall, options: SessionOptions): Session {
  const { identity, hello, spool, logs, refresh, unsure, oversize, clock, log } = options;
  const ended = Promise.withResolvers<StreamEnd & Refusal>();
  const over = new AbortController();
  const opening = clock.after(WELCOME_WITHIN_MS, () => giveUp("the server did not welcome us in time"));
  let welcome: { message: Welcome; atMs: number } | undefined;
  let sender: Sender | undefined;
  let commands: Commands | undefined;
  let looking: Timer | undefined;
  let told = { draining: false, dropped: -1, large: -1, atMs: -Infinity };
  let full = false;
  let drained: () => void = () => undefined;
  let drainedSoon = Promise.resolve();

  function write(message: Uint8Array): boolean {
    if (over.signal.aborted) return false;
    const roomy = call.write(message);
    if (roomy || full) return roomy;
    full = true;
    const waiting = Promise.withResolvers<void>();
    drained = waiting.resolve;
    drainedSoon = waiting.promise;
    return false;
  }

  function end({ code, reason }: Refusal): void {
    if (over.signal.aborted) return;
    over.abort();
    opening.cancel();
    looking?.cancel();
    unsure(sender?.stop() ?? []);
    drained();
    commands?.stop();
    call.cancel();
    const lastedMs = welcome === undefined ? 0 : clock.monotonicMs() - welcome.atMs;
    ended.resolve({ code, reason, lastedMs });
  }

  function giveUp(reason: string): void {
    end({ code: undefined, reason });
  }

  function answerChallenge(nonce: Uint8Array): void {
    const timestampSeconds = BigInt(Math.floor(clock.now().getTime() / 1000));
    const { agentId, privateKey } = identity;
    const signature = signChallenge({ nonce, agentId, timestampSeconds }, privateKey);
    const { runtime, ...facts } = hello();
    const agent = { ...facts, capabilities: [...facts.capabilities], runtime: RUNTIMES.numbers[runtime] };
    const value = create(AuthResponseSchema, { agentId, timestamp: timestampSeconds, signature, agent, protocol: PROTOCOL });
    write(encodeAgentMessage({ case: "authResponse", value }));
  }

  async function begin(message: Welcome): Promise<void> {
    welcome = { message, atMs: clock.monotonicMs() };
    opening.cancel();
    const offsetMs = clock.now().getTime() - Number(message.serverTimeMs);
    log.info({ server_version: cleanName(message.serverVersion, 64), clock_offset_ms: offsetMs }, "connected to the server");
    commands = createCommands({ logs, write, writable: () => drainedSoon, log });
    look();
    await Promise.race([list(), pause(clock, INVENTORY_WITHIN_MS, over.signal)]);
    // Without a listing, as while the runtime cannot be reached, what comes is live all the same.
    goLive();
  }

  async function list(): Promise<void> {
    try {
      await refresh(over.signal);
    } catch (error) {
      if (!over.signal.aborted) log.warn({ reason: messageOf(error) }, "containers not listed for the server; the next listing is sent");
    }
  }

  function goLive(): void {
    if (sender !== undefined || welcome === undefined || over.signal.aborted) return;
    sender = new Sender({ spool, limits: welcome.message, write, clock });
    sender.drained();
    look();
  }

  /** What a look at the clock asks for. */
  function look(): void {
    looking?.cancel();
    const complaint = sender?.complaint();
    if (complaint !== undefined) return giveUp(complaint);
    tellStatus();
    looking = clock.after(LOOK_EVERY_MS, look);
  }

  function tellStatus(): void {
    const { queued, dropped, bytes } = spool.totals();
    const draining = sender !== undefined && queued > 0;
    const nowMs = clock.monotonicMs();
    const large = oversize();
    const isSame = draining === told.draining && dropped === told.dropped && large === told.large;
    if (isSame && nowMs - told.atMs < STATUS_EVERY_MS) return;
    told = { draining, dropped, large, atMs: nowMs };
    const counts = { queued: BigInt(queued), dropped: BigInt(dropped), bytes: BigInt(bytes), oversize: BigInt(large) };
    const value = create(SpoolStatusSchema, { ...counts, draining });
    write(encodeAgentMessage({ case: "spoolStatus", value }));
  }

  function take({ body }: ServerMessage): void {
    if (over.signal.aborted) return;
    if (body.case === "authChallenge") {
      if (welcome === undefined) answerChallenge(body.value.nonce);
    } else if (body.case === "welcome") {
      if (welcome === undefined) void begin(body.value);
    } else if (body.case === "ack") sender?.acknowledged(Number(body.value.lastSeq));
    else if (body.case === "command") commands?.take(body.value);
    else if (body.case === "error") {
      const { code, message, retryAfterMs } = body.value;
      log.debug({ code: cleanName(code, 64), reason: cleanName(message, 200), retry_after_ms: retryAfterMs }, "the server asks to wait");
      sender?.slowDown(retryAfterMs);
    }
  }

  call.on("data", (message: ServerMessage) => {
    try {
      take(message);
    } catch (error) {
      giveUp(`what the server says cannot be understood: ${messageOf(error)}`);
    }
  });
  call.on("drain", () => {
    full = false;
    drained();
    sender?.drained();
  });
  call.on("error", (error) => end(refusalOf(error)));
  call.on("status", () => giveUp("the server ended the stream"));

  return {
    ended: ended.promise,
    get maxListingBytes() {
      return over.signal.aborted ? undefined : welcome?.message.maxListingBytes;
    },
    get isLive() {
      return sender !== undefined && !over.signal.aborted;
    },
    take(event, begins) {
      if (begins) goLive();
      if (sender === undefined || over.signal.aborted) return false;
      sender.send(event);
      return true;
    },
    async finish(withinMs) {
      sender?.endReplay();
      const untilMs = clock.monotonicMs() + withinMs;
      while (sender?.isIdle() === false && !over.signal.aborted && clock.monotonicMs() < untilMs) await pause(clock, 20, over.signal);
      if (!over.signal.aborted) call.end();
      giveUp("the agent stops");
    },
  };
}
