import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "./program.ts";
import { until } from "./until.ts";

const CONF = new URL("../../deploy/nginx.conf", import.meta.url);

export interface ProxyFacts {
  port: number;
  certFile: string;
  keyFile: string;
  /** Where the program answers, and where it listens for agents. */
  httpPort: number;
  grpcPort: number;
  /** In place of the timeouts of streams that the file has. */
  streamTimeout?: string;
}

/** nginx with the server block that the documentation prints, its addresses and files changed for the test. */
export interface TestNginx {
  log(): string;
  /** Ends it at once; connections and all. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export async function startNginx(facts: ProxyFacts): Promise<TestNginx> {
  const folder = temporaryFolder();
  const file = join(folder, "nginx.conf");
  writeFileSync(file, mainConf(folder, siteConf(facts)));
  return runNginx({ folder, file, port: facts.port });
}

/** nginx with a file, in a folder for what it writes; ready when it listens on the port. */
export async function runNginx({ folder, file, port }: { folder: string; file: string; port: number }): Promise<TestNginx> {
  let output = "";
  let child: ChildProcess | undefined;

  const nginx: TestNginx = {
    log: () => output,
    async kill() {
      const ending = child;
      child = undefined;
      if (ending?.exitCode !== null) return;
      // The master signals its workers.
      ending.kill("SIGTERM");
      await once(ending, "exit");
    },
    async start() {
      child = spawn("nginx", ["-p", folder, "-c", file, "-e", "stderr", "-g", "daemon off;"], {
        stdio: ["ignore", "ignore", "pipe"],
        env: { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin` },
      });
      child.stderr?.on("data", (chunk: Buffer) => (output = (output + String(chunk)).slice(-50_000)));
      child.on("error", (error) => (output += String(error)));
      await until(() => answers(port), { everyMs: 100, what: `nginx to listen` }).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${output}`);
      });
    },
  };
  await nginx.start();
  return nginx;
}

/** The file that is shipped, with what a site must change of it changed. */
function siteConf({ port, certFile, keyFile, httpPort, grpcPort, streamTimeout }: ProxyFacts): string {
  const changes: [from: RegExp, to: string][] = [
    [/listen 443 /, `listen 127.0.0.1:${port} `],
    [/\/etc\/ssl\/binnacle\.crt/, certFile],
    [/\/etc\/ssl\/binnacle\.key/, keyFile],
    [/grpc:\/\/127\.0\.0\.1:8443/, `grpc://127.0.0.1:${grpcPort}`],
    [/http:\/\/127\.0\.0\.1:8080/, `http://127.0.0.1:${httpPort}`],
    ...(streamTimeout === undefined
      ? []
      : ["grpc_read_timeout", "grpc_send_timeout", "client_body_timeout"].map((name): [RegExp, string] => [
          new RegExp(`${name} +5m`),
          `${name} ${streamTimeout}`,
        ])),
  ];
  return changes.reduce(
    (text, [from, to]) => {
      if (!from.test(text)) throw new Error(`deploy/nginx.conf has no ${String(from)}`);
      return text.replace(from, to);
    },
    readFileSync(CONF, "utf8"),
  );
}

/** What Debian's own nginx.conf stands for. */
function mainConf(folder: string, site: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `  ${name}_temp_path ${folder}/${name};`).join("\n");
  return `
user root;
worker_processes 1;
pid ${folder}/pid;
error_log stderr info;
events { worker_connections 1024; }
http {
  access_log off;
${temporary}
${site}
}
`;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
