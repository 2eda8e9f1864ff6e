import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { type Clock, pause } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import { cleanName } from "../../platform/text.ts";
import type { LogLine, LogRequest, AgentHello } from "../seams.ts";
import {
  type Command,
  type CommandResult,
  CommandSchema,
  type LogLine as WireLogLine,
  LogStream,
  ServerMessageSchema,
} from "../wire/index.ts";
import type { Exchange } from "./exchange.ts";

/** How many logs may be followed through one agent, and how many commands may run. */
const MAX_FOLLOWS = 4;
const MAX_COMMANDS = 16;
/** How much text of one log may wait for its reader. */
const MAX_WAITING_CHARACTERS = 4_000_000;
/** How long a slow reader may delay other messages of the agent before its log is cut. */
const MAX_HOLD_MS = 500;
/** The size of a line in addition to its text. */
const AROUND_LINE = 100;
/** For a log that is not followed: twice as many lines as are ever requested, and how long the agent may be silent. */
const MAX_LINES = 20_000;
const ANSWER_WITHIN_MS = 30_000;
const MAX_LINE_CHARACTERS = 70_000;
const MAX_TIME_MS = 8.64e15;

/** Commands to one agent over its stream. */
interface Commands {
  /** Lines as they come; see `RemoteLogs`. */
  logs(request: LogRequest): AsyncGenerator<readonly LogLine[], void, undefined>;
  /** Takes an answer. Resolves when the next may be read. */
  take(result: CommandResult): Promise<void>;
}

interface Reading {
  follow: boolean;
  waiting: LogLine[];
  characters: number;
  /** Set when nothing more follows: `error` undefined is the regular end. */
  end: { error: ServiceError | undefined } | undefined;
  /** Called when lines arrived, or were read. */
  changed: () => void;
}

export function createCommands({ exchange, clock }: { exchange: Exchange; clock: Clock }): Commands {
  const readings = new Map<string, Reading>();

  const send = (command: Command): Promise<void> =>
    exchange.send(create(ServerMessageSchema, { body: { case: "command", value: command } }));

  function begin(follow: boolean): { id: string; reading: Reading } {
    const follows = [...readings.values()].filter((reading) => reading.follow).length;
    if (readings.size >= MAX_COMMANDS || (follow && follows >= MAX_FOLLOWS)) {
      throw new ServiceError("agent_busy", `At most ${MAX_FOLLOWS} logs are followed at once on one remote host; close one and try again.`);
    }
    const id = randomUUID();
    const reading: Reading = { follow, waiting: [], characters: 0, end: undefined, changed: () => undefined };
    readings.set(id, reading);
    return { id, reading };
  }

  return {
    async *logs({ externalId, tail, since, follow, container, previous = false, signal }) {
      if (exchange.over.aborted) throw offline();
      const { id, reading } = begin(follow);
      const wake = (): void => reading.changed();
      signal.addEventListener("abort", wake);
      exchange.over.addEventListener("abort", wake);
      let most = follow ? Infinity : MAX_LINES;
      try {
        const sinceMs = since === undefined ? {} : { sinceMs: BigInt(since.getTime()) };
        const value = { externalId, tail, follow, previous, ...sinceMs, ...(container !== undefined && { container }) };
        await send(create(CommandSchema, { commandId: id, body: { case: "logs", value } }));
        while (!signal.aborted) {
          const lines = reading.waiting;
          reading.waiting = [];
          if (lines.length > 0) yield lines.slice(0, most);
          if (signal.aborted) return;
          most -= lines.length;
          if (most <= 0) return;
          reading.characters -= lengthOf(lines);
          wake();
          if (reading.waiting.length > 0) continue;
          if (reading.end?.error !== undefined) throw reading.end.error;
          if (reading.end !== undefined) return;
          if (exchange.over.aborted) throw offline();
          await news(reading);
        }
      } finally {
        signal.removeEventListener("abort", wake);
        exchange.over.removeEventListener("abort", wake);
        readings.delete(id);
        wake();
        if (reading.end === undefined) void send(create(CommandSchema, { commandId: id, body: { case: "cancel", value: {} } }));
      }
    },

    async take({ commandId, body }) {
      const reading = readings.get(commandId);
      // Results of a cancelled command may still arrive.
      if (reading === undefined || reading.end !== undefined) return;
      if (body.case === "logLines") {
        const lines = body.value.lines.map(lineOf);
        for (const line of lines) reading.waiting.push(line);
        reading.characters += lengthOf(lines);
      }
      if (body.case === "end") reading.end = { error: undefined };
      if (body.case === "error") reading.end = { error: failure(body.value.code, body.value.message) };
      reading.changed();
      if (reading.characters <= MAX_WAITING_CHARACTERS) return;
      await drained(reading);
      if (reading.characters <= MAX_WAITING_CHARACTERS || !readings.delete(commandId)) return;
      reading.end = { error: new ServiceError("agent_busy", "The log was cut: it comes faster than it is read.") };
      reading.changed();
      await send(create(CommandSchema, { commandId, body: { case: "cancel", value: {} } }));
    },
  };

  /** Resolves when something arrived. Throws when nothing arrives of a log that must end by itself. */
  async function news(reading: Reading): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    reading.changed = resolve;
    const late = new ServiceError("runtime_unavailable", "The agent of this host did not answer in time. Try again.");
    const timer = reading.follow ? undefined : clock.after(ANSWER_WITHIN_MS, () => reject(late));
    try {
      await promise;
    } finally {
      timer?.cancel();
    }
  }

  async function drained(reading: Reading): Promise<void> {
    const untilMs = clock.monotonicMs() + MAX_HOLD_MS;
    while (reading.characters > MAX_WAITING_CHARACTERS && clock.monotonicMs() < untilMs && !exchange.over.aborted) {
      await pause(clock, 20, exchange.over);
    }
  }
}

/** The error for an agent without a stream. */
export function offline(): ServiceError {
  return new ServiceError("agent_offline", "The agent of this host is not connected, so its logs cannot be read now.");
}

function lengthOf(lines: readonly LogLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + AROUND_LINE, 0);
}

function lineOf({ timestampMs, stream, text }: WireLogLine): LogLine {
  const ms = timestampMs === undefined ? undefined : Number(timestampMs);
  return {
    timestamp: ms === undefined || Math.abs(ms) > MAX_TIME_MS ? null : new Date(ms),
    stream: stream === LogStream.STDERR ? "stderr" : "stdout",
    text: text.length > MAX_LINE_CHARACTERS ? text.slice(0, MAX_LINE_CHARACTERS) : text,
  };
}

function failure(code: string, message: string): ServiceError {
  const sentence = cleanName(message, 500) || "The log could not be read on the remote host.";
  return new ServiceError(/(^|_)not_found$/.test(code) ? "not_found" : "runtime_unavailable", sentence);
}

/** An authenticated stream. */
export interface Session {
  agentId: string;
  hello: AgentHello;
  exchange: Exchange;
  commands: Commands;
  /** Resolves when the last of its batches is saved or given up. */
  finished: Promise<void>;
}

/** One stream for each agent: a new one replaces the one before. */
export interface Sessions {
  of(agentId: string): Session | undefined;
  all(): Session[];
  /** Answers the stream that it replaces. */
  enter(session: Session): Session | undefined;
  /** False when another stream has replaced it. */
  leave(session: Session): boolean;
}

export function createSessions(): Sessions {
  const sessions = new Map<string, Session>();
  return {
    of: (agentId) => sessions.get(agentId),
    all: () => [...sessions.values()],
    enter(session) {
      const before = sessions.get(session.agentId);
      sessions.set(session.agentId, session);
      return before;
    },
    leave: (session) => sessions.get(session.agentId) === session && sessions.delete(session.agentId),
  };
}
