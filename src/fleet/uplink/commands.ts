import { create } from "@bufbuild/protobuf";
import { isServiceError, messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { LogLine, LogRequest } from "../seams.ts";
import {
  type Command,
  type CommandResult,
  CommandResultSchema,
  encodeAgentMessage,
  LogLineSchema,
  type LogsCommand,
  LogStream,
  type LogLine as WireLogLine,
} from "../wire/index.ts";

/** How many logs may be followed, and how many commands may run. The server has the same limits. */
const MAX_FOLLOWS = 4;
const MAX_COMMANDS = 16;
const MAX_ID_LENGTH = 64;
const MAX_TAIL = 10_000;
/** How much text of lines goes into one message. */
const MESSAGE_CHARACTERS = 64 * 1024;
const LONGEST_REASON = 500;

/** Reads logs of this host's containers. Throws the errors of a runtime. */
export type AgentLogs = (request: LogRequest) => AsyncIterable<readonly LogLine[]>;

export interface CommandsOptions {
  logs: AgentLogs;
  write: (message: Uint8Array) => boolean;
  /** Resolves when more may be written, or the stream has ended. */
  writable: () => Promise<void>;
  log: Log;
}

/** Executes the server's commands over one stream. A slow stream slows the reading of logs. */
export interface Commands {
  take(command: Command): void;
  /** Ends all running commands. */
  stop(): void;
}

export function createCommands({ logs, write, writable, log }: CommandsOptions): Commands {
  const underWay = new Map<string, { ending: AbortController; follow: boolean }>();

  function answer(commandId: string, body: CommandResult["body"]): boolean {
    return write(encodeAgentMessage({ case: "commandResult", value: create(CommandResultSchema, { commandId, body }) }));
  }

  function refuse(commandId: string, code: string, message: string): void {
    answer(commandId, { case: "error", value: { $typeName: "service.agent.v1.CommandError", code, message } });
  }

  async function readLog(commandId: string, command: LogsCommand, signal: AbortSignal): Promise<void> {
    const { externalId, sinceMs, follow, previous } = command;
    const since = sinceMs === undefined ? {} : { since: new Date(Number(sinceMs)) };
    const tail = Math.min(command.tail, MAX_TAIL);
    const container = command.container === undefined ? {} : { container: command.container };
    const lines = createLineBuffer((taken) => {
      if (signal.aborted) return true;
      return answer(commandId, { case: "logLines", value: { $typeName: "service.agent.v1.LogLines", lines: taken } });
    });
    try {
      for await (const batch of logs({ externalId, tail, follow, previous, signal, ...since, ...container })) {
        for (const line of batch) {
          if (signal.aborted) return;
          if (!lines.add(line)) await writable();
        }
      }
    } finally {
      lines.flush();
    }
  }

  async function run(commandId: string, command: LogsCommand, ending: AbortController): Promise<void> {
    try {
      await readLog(commandId, command, ending.signal);
      if (!ending.signal.aborted) end(commandId);
    } catch (error) {
      if (ending.signal.aborted) return;
      const code = isServiceError(error) ? error.code : "internal";
      if (code === "internal") log.error({ err: error }, "log not read for the server");
      refuse(commandId, code, code === "internal" ? "The log could not be read." : messageOf(error).slice(0, LONGEST_REASON));
    } finally {
      underWay.delete(commandId);
    }
  }

  function end(commandId: string): void {
    answer(commandId, { case: "end", value: { $typeName: "service.agent.v1.CommandEnd" } });
  }

  function begin(commandId: string, command: LogsCommand): void {
    const follows = [...underWay.values()].filter(({ follow }) => follow).length;
    if (underWay.size >= MAX_COMMANDS || (command.follow && follows >= MAX_FOLLOWS))
      return refuse(commandId, "agent_busy", `At most ${MAX_FOLLOWS} logs are followed at once on one remote host.`);
    if (underWay.has(commandId)) return refuse(commandId, "conflict", "A command with this id is under way.");
    const ending = new AbortController();
    underWay.set(commandId, { ending, follow: command.follow });
    void run(commandId, command, ending);
  }

  return {
    take({ commandId, body }) {
      if (commandId === "" || commandId.length > MAX_ID_LENGTH) return;
      if (body.case === "logs") begin(commandId, body.value);
      else if (body.case === "cancel") {
        underWay.get(commandId)?.ending.abort();
        end(commandId);
      } else refuse(commandId, "invalid_request", "This agent does not know that command.");
    },
    stop() {
      for (const { ending } of underWay.values()) ending.abort();
    },
  };
}

/** Collects lines into messages: as many as come at once, up to a limit. */
function createLineBuffer(send: (lines: WireLogLine[]) => boolean) {
  let lines: WireLogLine[] = [];
  let characters = 0;
  let roomy = true;
  let soon = false;

  function flush(): void {
    if (lines.length === 0) return;
    roomy = send(lines);
    lines = [];
    characters = 0;
  }

  return {
    /** False when the stream cannot take more for now. */
    add({ timestamp, stream, text }: LogLine): boolean {
      const timestampMs = timestamp === null ? {} : { timestampMs: BigInt(timestamp.getTime()) };
      lines.push(create(LogLineSchema, { ...timestampMs, stream: stream === "stderr" ? LogStream.STDERR : LogStream.STDOUT, text }));
      characters += text.length;
      if (characters >= MESSAGE_CHARACTERS) flush();
      else if (!soon) {
        soon = true;
        setImmediate(() => {
          soon = false;
          flush();
        });
      }
      return roomy;
    },
    flush,
  };
}
