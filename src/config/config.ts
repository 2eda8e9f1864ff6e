import { join, resolve } from "node:path";
import { readBoundedFile } from "../platform/files.ts";
import { StartError } from "../platform/errors.ts";
import type { ListenAddress } from "./address-types.ts";
import { type BackupTarget, completeBackupTarget } from "./backup-options.ts";
import { requireDemoAlone } from "./demo.ts";
import { completeGrpcTls, type GrpcTls } from "./fleet-options.ts";
import { completeMcp, type McpConfig } from "./mcp.ts";
import { COMMANDS, OPTIONS, usageOf, type Command, type ValuesOf, PREFIX } from "./options.ts";
import { readOptions, suggestion, type Sources, nearest } from "./read-options.ts";
import { completeSmtp, type SmtpConfig } from "./smtp.ts";

const LARGEST_SECRET_FILE = 65_536;

type Values = ValuesOf<typeof OPTIONS>;

/** Everything that is configured from outside, checked, completed and frozen. Secrets print as `***`. */
export interface Config extends Omit<Values, "mcp"> {
  readonly baseUrl: string;
  readonly databasePath: string;
  readonly logFormat: "json" | "pretty";
  /** Where backups are taken by themselves; undefined when they are not. */
  readonly backupTarget: BackupTarget | undefined;
  /** The mail server; undefined without one. */
  readonly smtp: SmtpConfig | undefined;
  /** How agents know this server. */
  readonly grpcTls: GrpcTls;
  /** How assistants reach /mcp; undefined when they do not. */
  readonly mcp: McpConfig | undefined;
  /** What the environment says about where the Docker Engine is. */
  readonly docker: {
    /** SERVICE_DOCKER_HOST, else DOCKER_HOST. */
    readonly host: string | undefined;
    readonly certPath: string | undefined;
    readonly tlsVerify: boolean;
    /** XDG_RUNTIME_DIR: rootless engines keep their socket there. */
    readonly runtimeDir: string | undefined;
    readonly home: string | undefined;
  };
  /** Where the environment places a Kubernetes cluster, in addition to the options. */
  readonly cluster: {
    readonly serviceHost: string | undefined;
    readonly servicePort: string | undefined;
    /** KUBECONFIG, as kubectl reads it. */
    readonly kubeconfigList: string | undefined;
    /** For programs that a kubeconfig names: without the program's own variables, some of which are secret. */
    readonly variables: Readonly<Record<string, string | undefined>>;
  };
}

/** What to do. Asking for help or the version works whatever else is wrong. */
export type Start =
  | { readonly command: "help" | "version" }
  | { readonly command: FileCommand; readonly file: string; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly command: Exclude<Command, "help" | "version" | FileCommand>; readonly config: Config; readonly warnings: readonly string[] };

/** A file must be named after these. */
type FileCommand = "backup" | "restore";

export interface ParseOptions extends Partial<Sources> {
  /** Whether log lines go to a person at a terminal. */
  isTerminal?: boolean;
}

/** Reads arguments, variables and secret files. Throws one StartError that lists every mistake; it never repeats a secret. */
export function parseConfig({
  argv = process.argv.slice(2),
  env = process.env,
  readFile = (path) => readBoundedFile(path, LARGEST_SECRET_FILE),
  isTerminal = process.stderr.isTTY,
}: ParseOptions = {}): Start {
  const asked = informationAsked(argv);
  if (asked !== undefined) return { command: asked };

  const reading = readOptions(OPTIONS, { argv, env, readFile });
  const [word = "serve", ...operands] = reading.words;
  const file = isFileCommand(word) ? operands.shift() : undefined;
  const mistakes = [...reading.mistakes, ...operands.map((extra) => `${extra}: not expected after ${word}`)];
  if (isFileCommand(word) && file === undefined) mistakes.unshift(`${word}: needs a file after it: binnacle ${usageOf(word)}`);
  if (reading.values.demo && word !== "serve" && word !== "healthcheck")
    mistakes.push(`--demo: only the server has a demo, ${word} does not`);
  if (!isCommand(word)) mistakes.unshift(`${word}: no such command${suggestion(nearest(word, Object.keys(COMMANDS)))}`);
  if (mistakes.length > 0 || !isCommand(word)) throw new StartError(mistakesText(mistakes));
  if (word === "help" || word === "version") return { command: word };
  const start = { config: deepFreeze(complete(reading.values, env, isTerminal)), warnings: reading.warnings };
  return isFileCommand(word) ? { command: word, file: resolve(file ?? ""), ...start } : { command: word, ...start };
}

function complete(values: Values, env: Sources["env"], isTerminal: boolean): Config {
  requireDemoAlone(values);
  const dataDir = resolve(values.dataDir);
  return {
    ...values,
    dataDir,
    databasePath: values.databasePath === undefined ? join(dataDir, "binnacle.db") : resolve(values.databasePath),
    backupTarget: completeBackupTarget(values),
    baseUrl: values.baseUrl ?? `http://${hostAndPort(values.listen)}`,
    logFormat: values.logFormat ?? (isTerminal ? "pretty" : "json"),
    smtp: completeSmtp(values),
    grpcTls: completeGrpcTls(values),
    mcp: completeMcp(values),
    docker: {
      host: values.dockerHost ?? unlessEmpty(env["DOCKER_HOST"]),
      certPath: unlessEmpty(env["DOCKER_CERT_PATH"]),
      // Docker's own client takes any value as yes.
      tlsVerify: unlessEmpty(env["DOCKER_TLS_VERIFY"]) !== undefined,
      runtimeDir: unlessEmpty(env["XDG_RUNTIME_DIR"]),
      home: unlessEmpty(env["HOME"]),
    },
    cluster: {
      serviceHost: unlessEmpty(env["KUBERNETES_SERVICE_HOST"]),
      servicePort: unlessEmpty(env["KUBERNETES_SERVICE_PORT"]),
      kubeconfigList: unlessEmpty(env["KUBECONFIG"]),
      variables: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith(PREFIX))),
    },
  };
}

/** A listen address as it stands in a URL. */
export function hostAndPort({ host, port }: ListenAddress): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function informationAsked(argv: readonly string[]): "help" | "version" | undefined {
  if (argv[0] === "help" || argv.includes("--help") || argv.includes("-h")) return "help";
  return argv[0] === "version" || argv.includes("--version") ? "version" : undefined;
}

function isFileCommand(word: string): word is FileCommand {
  return word === "backup" || word === "restore";
}

function isCommand(word: string): word is Command {
  return Object.hasOwn(COMMANDS, word);
}

function mistakesText(mistakes: readonly string[]): string {
  if (mistakes.length === 1) return `${mistakes[0]}\n"binnacle help" lists the options.`;
  return `${mistakes.length} mistakes in the options:\n${mistakes.map((each) => `  ${each}`).join("\n")}\n"binnacle help" lists the options.`;
}

function unlessEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) deepFreeze(part);
  return Object.freeze(value);
}
