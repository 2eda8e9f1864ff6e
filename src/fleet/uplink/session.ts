import { create } from "@bufbuild/protobuf";
import { type Clock, pause, type Timer } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { cleanName } from "../../platform/text.ts";
import { PROTOCOL, signChallenge } from "../handshake.ts";
import type { AgentHello } from "../seams.ts";
import { AuthResponseSchema, encodeAgentMessage, RUNTIMES, type ServerMessage, SpoolStatusSchema, type Welcome } from "../wire/index.ts";
import { type AgentLogs, type Commands, createCommands } from "./commands.ts";
import type { Identity } from "./identity.ts";
import { type LiveEvent, Sender } from "./sender.ts";
import type { StreamEnd } from "./schedule.ts";
import type { Spool } from "./spool/index.ts";
import { type PushCall, type Refusal, refusalOf } from "./transport.ts";

/** From the opening of the stream to the server's welcome. */
const WELCOME_WITHIN_MS = 20_000;
/** How long a listing may delay live events. */
const INVENTORY_WITHIN_MS = 10_000;
const CHECK_EVERY_MS = 1000;
const STATUS_EVERY_MS = 5000;

/** The watched host. It sends its observations to the uplink, so it is built after it. */
export interface UplinkHost {
  hello(): AgentHello;
  /** Lists everything now; resolves once that was observed. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Observes what a new stream must know also when nothing could be listed. */
  report(): void;
}

export interface SessionOptions {
  identity: Identity;
  host: UplinkHost;
  spool: Spool;
  logs: AgentLogs;
  /** Takes the live events that were not acknowledged, in order, before anything that is observed after the end. */
  unsure: (events: readonly LiveEvent[]) => void;
  /** How many observations were too large since the start. */
  oversize: () => number;
  clock: Clock;
  log: Log;
}

/**
 * One stream, from its opening to its end: authenticates, has everything listed, then sends live events at once and spooled ones in between. What
 * happens before the listing is spooled.
 */
export class Session {
  readonly #call: PushCall;
  readonly #options: SessionOptions;
  readonly #ended = Promise.withResolvers<StreamEnd & Refusal>();
  readonly #over = new AbortController();
  readonly #opening: Timer;
  #welcome: { message: Welcome; atMs: number } | undefined;
  #sender: Sender | undefined;
  #commands: Commands | undefined;
  #checkTimer: Timer | undefined;
  /** The state of the spool that was last reported. */
  #sent = { draining: false, dropped: -1, large: -1, atMs: -Infinity };
  /** Resolves when the connection takes more; undefined while it does. */
  #full: PromiseWithResolvers<void> | undefined;

  constructor(call: PushCall, options: SessionOptions) {
    this.#call = call;
    this.#options = options;
    this.#opening = options.clock.after(WELCOME_WITHIN_MS, () => this.#giveUp("the server did not welcome us in time"));
    call.on("data", (message: ServerMessage) => this.#receive(message));
    call.on("drain", () => {
      this.#full?.resolve();
      this.#full = undefined;
      this.#sender?.drained();
    });
    call.on("error", (error) => this.#end(refusalOf(error)));
    call.on("status", () => this.#giveUp("the server ended the stream"));
  }

  /** Resolves once. */
  get ended(): Promise<StreamEnd & Refusal> {
    return this.#ended.promise;
  }

  get isLive(): boolean {
    return this.#sender !== undefined && !this.#isOver();
  }

  /** How many bytes of a listing in parts the server takes, 0 for none; undefined until its welcome: before that nothing can be listed. */
  get maxListingBytes(): number | undefined {
    return this.#isOver() ? undefined : this.#welcome?.message.maxListingBytes;
  }

  /** Takes an event that can be sent to the server now; otherwise it must be spooled. From an event that `begins`, events are live. */
  take(event: LiveEvent, begins: boolean): boolean {
    if (begins) this.#goLive();
    if (this.#sender === undefined || this.#isOver()) return false;
    this.#sender.send(event);
    return true;
  }

  /** Sends the remaining live events within that time, then ends the stream. */
  async finish(withinMs: number): Promise<void> {
    const { clock } = this.#options;
    this.#sender?.endReplay();
    const untilMs = clock.monotonicMs() + withinMs;
    while (this.#sender?.isIdle() === false && !this.#isOver() && clock.monotonicMs() < untilMs) await pause(clock, 20, this.#over.signal);
    if (!this.#isOver()) this.#call.end();
    this.#giveUp("the agent stops");
  }

  #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  #receive(message: ServerMessage): void {
    try {
      this.#takeMessage(message);
    } catch (error) {
      this.#giveUp(`what the server says cannot be understood: ${messageOf(error)}`);
    }
  }

  #takeMessage({ body }: ServerMessage): void {
    if (this.#isOver()) return;
    if (body.case === "authChallenge") {
      if (this.#welcome === undefined) this.#answerChallenge(body.value.nonce);
    } else if (body.case === "welcome") {
      if (this.#welcome === undefined) void this.#begin(body.value);
    } else if (body.case === "ack") this.#sender?.acknowledged(Number(body.value.lastSeq));
    else if (body.case === "command") this.#commands?.take(body.value);
    else if (body.case === "error") {
      const { code, message, retryAfterMs } = body.value;
      const reported = { code: cleanName(code, 64), reason: cleanName(message, 200), retry_after_ms: retryAfterMs };
      this.#options.log.debug(reported, "the server asks to wait");
      this.#sender?.slowDown(retryAfterMs);
    }
  }

  #answerChallenge(nonce: Uint8Array): void {
    const { identity, host, clock } = this.#options;
    const timestampSeconds = BigInt(Math.floor(clock.now().getTime() / 1000));
    const { agentId, privateKey } = identity;
    const signature = signChallenge({ nonce, agentId, timestampSeconds }, privateKey);
    const agent = descriptionOf(host.hello());
    const value = create(AuthResponseSchema, { agentId, timestamp: timestampSeconds, signature, agent, protocol: PROTOCOL });
    this.#write(encodeAgentMessage({ case: "authResponse", value }));
  }

  async #begin(message: Welcome): Promise<void> {
    const { host, logs, clock, log } = this.#options;
    this.#welcome = { message, atMs: clock.monotonicMs() };
    this.#opening.cancel();
    const offsetMs = clock.now().getTime() - Number(message.serverTimeMs);
    log.info({ server_version: cleanName(message.serverVersion, 64), clock_offset_ms: offsetMs }, "connected to the server");
    this.#commands = createCommands({
      logs,
      write: (bytes) => this.#write(bytes),
      writable: () => this.#full?.promise ?? Promise.resolve(),
      log,
    });
    this.#checkClock();
    await Promise.race([this.#list(), pause(clock, INVENTORY_WITHIN_MS, this.#over.signal)]);
    // Without a listing, as while the runtime cannot be reached, events are live all the same.
    this.#goLive();
    if (!this.#isOver()) host.report();
  }

  async #list(): Promise<void> {
    const { host, log } = this.#options;
    try {
      await host.refresh(this.#over.signal);
    } catch (error) {
      if (!this.#isOver()) log.warn({ reason: messageOf(error) }, "containers not listed for the server; the next listing is sent");
    }
  }

  #goLive(): void {
    if (this.#sender !== undefined || this.#welcome === undefined || this.#isOver()) return;
    const { spool, clock } = this.#options;
    this.#sender = new Sender({ spool, limits: this.#welcome.message, write: (message) => this.#write(message), clock });
    this.#sender.drained();
    this.#checkClock();
  }

  /** Does what is due at this time. */
  #checkClock(): void {
    this.#checkTimer?.cancel();
    const complaint = this.#sender?.complaint();
    if (complaint !== undefined) return this.#giveUp(complaint);
    this.#sendStatus();
    this.#checkTimer = this.#options.clock.after(CHECK_EVERY_MS, () => this.#checkClock());
  }

  #sendStatus(): void {
    const { spool, oversize, clock } = this.#options;
    const { queued, dropped, bytes } = spool.totals();
    const draining = this.#sender !== undefined && queued > 0;
    const nowMs = clock.monotonicMs();
    const large = oversize();
    const isSame = draining === this.#sent.draining && dropped === this.#sent.dropped && large === this.#sent.large;
    if (isSame && nowMs - this.#sent.atMs < STATUS_EVERY_MS) return;
    this.#sent = { draining, dropped, large, atMs: nowMs };
    const counts = { queued: BigInt(queued), dropped: BigInt(dropped), bytes: BigInt(bytes), oversize: BigInt(large) };
    // Behind what the connection has not taken yet it would arrive late, and look like a clock that is behind.
    const sentAtMs = this.#full === undefined ? BigInt(clock.now().getTime()) : 0n;
    const value = create(SpoolStatusSchema, { ...counts, draining, sentAtMs });
    this.#write(encodeAgentMessage({ case: "spoolStatus", value }));
  }

  /** False when no more should follow until the connection has drained. */
  #write(message: Uint8Array): boolean {
    if (this.#isOver()) return false;
    const isRoomy = this.#call.write(message);
    if (!isRoomy) this.#full ??= Promise.withResolvers<void>();
    return isRoomy;
  }

  #giveUp(reason: string): void {
    this.#end({ code: undefined, reason });
  }

  #end({ code, reason }: Refusal): void {
    if (this.#isOver()) return;
    const { unsure, clock } = this.#options;
    this.#over.abort();
    this.#opening.cancel();
    this.#checkTimer?.cancel();
    unsure(this.#sender?.stop() ?? []);
    this.#full?.resolve();
    this.#commands?.stop();
    this.#call.cancel();
    const lastedMs = this.#welcome === undefined ? 0 : clock.monotonicMs() - this.#welcome.atMs;
    this.#ended.resolve({ code, reason, lastedMs });
  }
}

/** What the agent says of its host, as it is sent. */
export function descriptionOf({ runtime, capabilities, ...facts }: AgentHello) {
  return { ...facts, capabilities: [...capabilities], runtime: RUNTIMES.numbers[runtime] };
}
