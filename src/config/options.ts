/**
 * Every option of the program, once. Help, parsing, the documentation page and the warning about unknown variables read
 * this table; to add an option, add a row.
 */
import { LOG_LEVELS } from "../platform/log.ts";
import { engineAddress, hostName, listenAddress, origin, origins } from "./address-types.ts";
import { BACKUP_OPTIONS } from "./backup-options.ts";
import { DATABASE_OPTIONS } from "./database-options.ts";
import { parseCopyTarget } from "./database-url.ts";
import { DEMO_OPTIONS } from "./demo.ts";
import { AGENT_OPTIONS, SERVER_OPTIONS } from "./fleet-options.ts";
import { KUBERNETES_OPTIONS } from "./kubernetes-options.ts";
import { MAIL_OPTIONS } from "./smtp.ts";
import { MCP_OPTIONS } from "./mcp.ts";
import { RETENTION_OPTIONS } from "./retention-options.ts";
import { parseTrustedProxies } from "./trusted-proxies.ts";
import { UPDATE_OPTIONS } from "./update-options.ts";
import { accessToken, bytes, choice, durationOrOff, integer, list, path, secret, text, toggle, type Option } from "./value-types.ts";

export type { Option } from "./value-types.ts";

/** What every variable of the program begins with. */
export const PREFIX = "SERVICE_";

export const OPTIONS = {
  mode: {
    flag: "--mode",
    env: "MODE",
    type: choice(["embedded", "server", "agent"]),
    default: "embedded",
    help: "How to run. Embedded watches this host. For several hosts, one runs as server, which needs the Personal edition, and the others as agents of it.",
  },
  ...DEMO_OPTIONS,
  listen: {
    flag: "--addr",
    env: "ADDR",
    type: listenAddress,
    default: "127.0.0.1:8080",
    help: "Where the web interface and the API listen.",
  },
  baseUrl: {
    flag: "--base-url",
    env: "BASE_URL",
    type: origin,
    otherwise: "http:// and the listen address",
    help: "The public address, for links.",
  },
  dataDir: { flag: "--data-dir", env: "DATA_DIR", type: path, default: "./data", help: "The folder for the database and other state." },
  ...DATABASE_OPTIONS,
  ...BACKUP_OPTIONS,
  copyTo: {
    flag: "--to",
    env: "TO",
    type: secret({ name: "URL", parse: parseCopyTarget }),
    otherwise: "none; copy-store needs it",
    help: "Where copy-store copies the database to: the URL of an empty PostgreSQL database, or sqlite: and the path of a file that is not there yet.",
  },
  runtime: {
    flag: "--runtime",
    env: "RUNTIME",
    type: choice(["auto", "docker", "swarm", "kubernetes"]),
    default: "auto",
    help: "The container runtime to watch; auto finds it: in a pod the cluster, else the engine, with its swarm where it is a manager. docker leaves the swarm out.",
  },
  dockerHost: {
    flag: "--docker-host",
    env: "DOCKER_HOST",
    type: engineAddress,
    otherwise: "DOCKER_HOST, else the usual sockets of Docker and Podman",
    help: "The engine to watch: Docker, or Podman by its Docker-compatible service.",
  },
  hostProc: {
    flag: "--host-proc",
    env: "HOST_PROC",
    type: path,
    otherwise: "/host/proc when it is mounted, else /proc",
    help: "The /proc of the host, for its CPU, memory and load; inside a container mount it read-only.",
  },
  caCert: {
    flag: "--ca-cert",
    env: "CA_CERT",
    type: path,
    otherwise: "the roots of the system alone",
    help: "A PEM file of further certificate authorities to trust: by checks, channels, webhooks, mail and registries.",
  },
  ...RETENTION_OPTIONS,
  ...KUBERNETES_OPTIONS,
  labelCheckMethods: {
    flag: "--label-check-methods",
    env: "LABEL_CHECK_METHODS",
    type: list(choice(["options", "post", "put", "patch", "delete"])),
    default: "",
    help: "Methods that HTTP checks of labels may use in addition to GET and HEAD: options, post, put, patch, delete. They may change something where they go.",
  },
  imageLabels: {
    flag: "--image-labels",
    env: "IMAGE_LABELS",
    type: toggle,
    default: "false",
    help: "Let `service.*` labels that an image brings count as if they were written on its containers.",
  },
  containerDownAfter: {
    flag: "--container-down-after",
    env: "CONTAINER_DOWN_AFTER",
    type: durationOrOff({ min: "1s", max: "24h" }),
    default: "30s",
    help: "An alert when a container ended without being asked to, not as a finished job, and has been down for this long; `off`: only where a label asks for it.",
  },
  securityPostureThreshold: {
    flag: "--security-posture-threshold",
    env: "SECURITY_POSTURE_THRESHOLD",
    type: integer({ min: 0, max: 100 }),
    otherwise: "no alert",
    help: "An alert when the security posture of a host stays below this for 5 minutes. Needs the Personal edition.",
  },
  maxDbBytes: {
    flag: "--max-db-bytes",
    env: "MAX_DB_BYTES",
    type: bytes({ min: 16 * 1024 ** 2, max: 1024 ** 5 }),
    otherwise: "no limit",
    help: "The size beyond which the oldest of what is missed least is dropped before its time, by kind of data; nothing younger than a day.",
  },
  adminToken: {
    flag: "--admin-token",
    env: "ADMIN_TOKEN",
    type: secret(accessToken),
    otherwise: "none is asked for",
    help: "A token that the API and the web interface then ask for.",
  },
  allowedHosts: {
    flag: "--allowed-hosts",
    env: "ALLOWED_HOSTS",
    type: list(hostName),
    default: "",
    help: "Further host names that requests may carry: in addition to loopback names when listening on loopback, else in addition to addresses and names without a dot. The host of the base URL is always among them.",
  },
  trustedProxies: {
    flag: "--trusted-proxies",
    env: "TRUSTED_PROXIES",
    type: { name: "CIDR,...", parse: parseTrustedProxies },
    default: "",
    help: "Networks and addresses of proxies whose forwarded headers are believed.",
  },
  corsOrigins: {
    flag: "--cors-origins",
    env: "CORS_ORIGINS",
    type: origins,
    otherwise: "no other site",
    help: "Web origins that may read answers; * for any.",
  },
  maxBodyBytes: {
    flag: "--max-body-size",
    env: "MAX_BODY_SIZE",
    type: bytes({ min: 1024, max: 1024 ** 3 }),
    default: "1048576",
    help: "The largest request body; K, M and G stand for powers of 1024.",
  },
  licenseKey: {
    flag: "--license-key",
    env: "LICENSE_KEY",
    type: secret({ ...text, name: "KEY" }),
    otherwise: "the Community edition",
    help: "The licence key of a paid edition. Read again on SIGHUP when it comes from a file.",
  },
  allowPrivateWebhooks: {
    flag: "--allow-private-webhooks",
    env: "ALLOW_PRIVATE_WEBHOOKS",
    type: toggle,
    default: "false",
    help: "Let channels and webhooks lead to private addresses, and over plain http.",
  },
  ...UPDATE_OPTIONS,
  ...MAIL_OPTIONS,
  ...SERVER_OPTIONS,
  ...AGENT_OPTIONS,
  ...MCP_OPTIONS,
  logLevel: { flag: "--log-level", env: "LOG_LEVEL", type: choice(LOG_LEVELS), default: "info", help: "The least severe messages to log." },
  logFormat: {
    flag: "--log-format",
    env: "LOG_FORMAT",
    type: choice(["json", "pretty"]),
    otherwise: "pretty at a terminal, else json",
    help: "How log lines are written.",
  },
  shutdownSeconds: {
    flag: "--shutdown-seconds",
    env: "SHUTDOWN_SECONDS",
    type: integer({ min: 1, max: 600 }),
    default: "10",
    help: "How long stopping may take.",
  },
} as const satisfies Record<string, Option>;

/** The values of a table of options; undefined is possible only without a fixed default. */
export type ValuesOf<Table extends Record<string, Option>> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value>
    ? Table[Name] extends { default: string }
      ? Value
      : Value | undefined
    : never;
};

export const COMMANDS = {
  serve: "watch containers and serve the web interface and the API (the default)",
  healthcheck: "ask a running instance whether it serves; exit 0 when it does",
  doctor: "say what was found on this host and what to do about it",
  backup: "write a backup of the database to FILE, also while the program runs",
  restore: "put the backup FILE in the place of the database; the program must not run",
  "copy-store": "copy the database to the one that --to names; the program must not run",
  license: "say which edition is in force, and until when",
  version: "print the version",
  help: "print this text",
} as const;

export type Command = keyof typeof COMMANDS;

/** What must follow a command. */
export const OPERANDS: { readonly [Name in Command]?: string } = { backup: "FILE", restore: "FILE" };

/** A command as it is written, with what must follow it. */
export function usageOf(command: string): string {
  const operand = Object.hasOwn(OPERANDS, command) ? OPERANDS[command as Command] : undefined;
  return operand === undefined ? command : `${command} ${operand}`;
}

export function variableOf(option: Option): string {
  return PREFIX + option.env;
}

/** The variable that names a file with the option's value; secrets have one. */
export function fileVariableOf(option: Option): string | undefined {
  return option.type.secret === true ? `${variableOf(option)}_FILE` : undefined;
}

export function fileFlagOf(option: Option): `--${string}` | undefined {
  return option.type.secret === true ? `${option.flag}-file` : undefined;
}
