import assert from "node:assert/strict";
import { inspect } from "node:util";
import { test } from "node:test";
import { fc } from "../../test/support/seed.ts";
import { StartError } from "../platform/errors.ts";
import { parseConfig, type Config } from "./config.ts";
import { helpText, optionsPage } from "./help.ts";
import { type Option, OPTIONS, variableOf } from "./options.ts";
import { readOptions } from "./read-options.ts";
import { choice, integer, text, toggle } from "./value-types.ts";

function noFile(path: string): string {
  throw new Error(`ENOENT: ${path}`);
}

function configOf(argv: string[], env: Record<string, string> = {}, readFile: (path: string) => string = noFile): Config {
  const start = parseConfig({ argv, env, readFile, isTerminal: false });
  assert.ok("config" in start);
  return start.config;
}

function mistakesOf(argv: string[], env: Record<string, string> = {}, readFile = noFile): string {
  try {
    parseConfig({ argv, env, readFile, isTerminal: false });
  } catch (error) {
    assert.ok(error instanceof StartError);
    return error.message;
  }
  return assert.fail("nothing was refused");
}

function warningsOf(env: Record<string, string>): readonly string[] {
  const start = parseConfig({ argv: [], env, readFile: noFile, isTerminal: false });
  return "warnings" in start ? start.warnings : [];
}

test("without any option the defaults hold", () => {
  const config = configOf([]);
  assert.equal(config.mode, "embedded");
  assert.equal(config.containerDownAfter, 30_000, "a container that ended by itself is alerted");
  assert.deepEqual(config.listen, { host: "127.0.0.1", port: 8080 });
  assert.equal(config.baseUrl, "http://127.0.0.1:8080");
  assert.equal(config.databasePath, `${config.dataDir}/binnacle.db`);
  assert.equal(config.maxBodyBytes, 1_048_576);
  assert.equal(config.corsOrigins, undefined);
  assert.equal(config.logFormat, "json");
});

test("a demo does not go together with what is real", () => {
  assert.equal(configOf(["--demo"]).demo, true);
  assert.equal(configOf([]).demo, false);
  for (const real of [
    "--mode=server",
    "--mode=agent",
    "--db=/tmp/a.db",
    "--database-url=postgres://localhost/a",
    "--backup-dir=/tmp/b",
    "--mcp-stdio",
  ]) {
    const [flag = ""] = real.split("=");
    assert.match(mistakesOf(["--demo", real]), new RegExp(`^--demo: does not go together with ${flag}`), real);
  }
  assert.match(mistakesOf(["doctor", "--demo"]), /--demo: only the server has a demo, doctor does not/);
  // In the container of a demo its health is asked with the same variables.
  assert.equal(configOf(["healthcheck"], { SERVICE_DEMO: "true" }).demo, true);
});

test("a flag counts before its variable, and a variable before the default", () => {
  assert.equal(configOf([], { SERVICE_SHUTDOWN_SECONDS: "20" }).shutdownSeconds, 20);
  assert.equal(configOf(["--shutdown-seconds=30"], { SERVICE_SHUTDOWN_SECONDS: "20" }).shutdownSeconds, 30);
  assert.equal(configOf(["serve", "--shutdown-seconds", "30"]).shutdownSeconds, 30);
  assert.equal(configOf([], { SERVICE_SHUTDOWN_SECONDS: "" }).shutdownSeconds, 10, "an empty variable is not set");
});

test("every mistake is reported at once, where it was made", () => {
  const message = mistakesOf(["--addr=nonsense", "--shutdown-seconds", "0", "--lable", "x", "serve", "now"], {
    SERVICE_LOG_LEVEL: "loud",
    SERVICE_TRUSTED_PROXIES: "10.0.0.0/8,here",
  });
  assert.match(message, /^6 mistakes/);
  for (const part of [
    /--addr: "nonsense"/,
    /--shutdown-seconds: "0"/,
    /--lable: no such option/,
    /now: not expected/,
    /SERVICE_LOG_LEVEL: "loud"/,
    /"here"/,
  ]) {
    assert.match(message, part);
  }
});

test("a flag without a value, given twice, or unknown is a mistake", () => {
  assert.match(mistakesOf(["--db"]), /--db: needs a value/);
  assert.match(mistakesOf(["--db="]), /--db: needs a value/);
  assert.match(mistakesOf(["--db", "--mode=embedded"]), /--db: needs a value/);
  assert.match(mistakesOf(["--db=a", "--db=b"]), /--db: given twice/);
  assert.match(mistakesOf(["--adr=1"]), /--adr: no such option; did you mean --addr\?/);
  assert.match(mistakesOf(["healtcheck"]), /did you mean healthcheck\?/);
  assert.doesNotMatch(mistakesOf(["--zzzzzzzzzz"]), /did you mean/);
});

test("a variable that is no option is named with the nearest one", () => {
  assert.deepEqual(warningsOf({ SERVICE_ADRR: "x" }), ["SERVICE_ADRR is not an option and has no effect; did you mean SERVICE_ADDR?"]);
  assert.match(warningsOf({ SERVICE_PORT: "8080" })[0] ?? "", /did you mean SERVICE_ADDR/);
  assert.match(warningsOf({ SERVICE_MAX_BODY: "1" })[0] ?? "", /did you mean SERVICE_MAX_BODY_SIZE/);
  assert.deepEqual(warningsOf({ OTHER_ADDR: "x", SERVICE_ADDR: "127.0.0.1:1", SERVICE_DATABASE_URL_FILE: "" }), []);
});

test("a secret on the command line is a warning that names what to use instead, never the secret", () => {
  const start = parseConfig({ argv: ["--admin-token=hunter2-hunter2-hunter2"], env: { SERVICE_DATABASE_URL: "" } });
  const warnings = "warnings" in start ? start.warnings : [];
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? "", /^--admin-token: .*SERVICE_ADMIN_TOKEN, .*SERVICE_ADMIN_TOKEN_FILE or --admin-token-file/);
  assert.doesNotMatch(warnings[0] ?? "", /hunter2/);
  assert.deepEqual(warningsOf({ SERVICE_ADMIN_TOKEN: "hunter2-hunter2-hunter2" }), []);
});

test("what Kubernetes writes into every container is not ours", () => {
  const links = {
    SERVICE_SERVICE_HOST: "10.0.0.1",
    SERVICE_SERVICE_PORT: "80",
    SERVICE_SERVICE_PORT_HTTP: "80",
    SERVICE_PORT: "tcp://10.0.0.1:80",
    SERVICE_PORT_80_TCP: "tcp://10.0.0.1:80",
    SERVICE_PORT_80_TCP_ADDR: "10.0.0.1",
    SERVICE_API_SERVICE_HOST: "10.0.0.2",
    SERVICE_API_PORT: "tcp://10.0.0.2:80",
    KUBERNETES_SERVICE_HOST: "10.0.0.1",
  };
  assert.deepEqual(warningsOf(links), []);
});

test("a secret is read from its file, and from one place only", () => {
  const config = configOf([], { SERVICE_ADMIN_TOKEN_FILE: "/run/token" }, (path) => `${path}-0123456789\n`);
  assert.equal(config.adminToken?.reveal(), "/run/token-0123456789");
  assert.match(
    mistakesOf([], { SERVICE_ADMIN_TOKEN: "a", SERVICE_ADMIN_TOKEN_FILE: "/b" }),
    /SERVICE_ADMIN_TOKEN: given together with SERVICE_ADMIN_TOKEN_FILE/,
  );
  assert.match(mistakesOf(["--license-key-file=/none"]), /--license-key-file: \/none cannot be read \(ENOENT/);
  assert.match(
    mistakesOf([], { SERVICE_LICENSE_KEY_FILE: "/e" }, () => " \n"),
    /\/e is empty/,
  );
  const flagFirst = configOf(["--admin-token=flag-0123456789abcdef"], { SERVICE_ADMIN_TOKEN_FILE: "/run/token" });
  assert.equal(flagFirst.adminToken?.reveal(), "flag-0123456789abcdef");
});

test("a secret's file without an end is a mistake, not a hang", () => {
  assert.throws(
    () => parseConfig({ argv: ["--admin-token-file=/dev/zero"], env: {} }),
    /--admin-token-file: \/dev\/zero cannot be read \(larger than 65536 bytes\)/,
  );
});

test("no mistake repeats a secret", () => {
  const message = mistakesOf([], { SERVICE_ADMIN_TOKEN: "hunter2 hunter2 hunter2", SERVICE_DATABASE_URL: "mysql://u:hunter2@h/d" });
  assert.match(message, /^2 mistakes/);
  assert.doesNotMatch(message, /hunter2/);
});

test("secrets print as ***, and the config is frozen through and through", () => {
  const config = configOf([], {
    SERVICE_ADMIN_TOKEN: "hunter2hunter2hunter2",
    SERVICE_DATABASE_URL: "postgres://u:hunter2@db/x",
    SERVICE_LICENSE_KEY: "hunter2",
  });
  for (const printed of [JSON.stringify(config), inspect(config, { depth: 9, showHidden: true }), String(config.adminToken)]) {
    assert.doesNotMatch(printed, /hunter2/);
    assert.match(printed, /\*\*\*/);
  }
  assert.equal(config.databaseUrl?.reveal(), "postgres://u:hunter2@db/x?sslmode=require");
  assert.throws(() => Object.assign(config.listen, { port: 1 }), TypeError);
  assert.throws(() => Object.assign(config.trustedProxies, { includes: () => true }), TypeError);
});

test("Docker's own variables are read, ours first", () => {
  assert.equal(configOf([], { DOCKER_HOST: "tcp://a:2375" }).docker.host, "tcp://a:2375");
  assert.equal(configOf([], { DOCKER_HOST: "tcp://a:2375", SERVICE_DOCKER_HOST: "/run/x.sock" }).docker.host, "unix:///run/x.sock");
  assert.match(mistakesOf(["--docker-host=ssh://a"]), /--docker-host: "ssh:\/\/a" is neither/);
  assert.equal(configOf([], { DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH: "/c" }).docker.tlsVerify, true);
});

test("help and version are answered whatever else is wrong", () => {
  for (const argv of [["help", "--nonsense"], ["--help"], ["serve", "-h"]]) {
    assert.equal(parseConfig({ argv, env: { SERVICE_ADDR: "x" }, readFile: noFile }).command, "help");
  }
  assert.equal(parseConfig({ argv: ["--version"], env: {}, readFile: noFile }).command, "version");
  assert.equal(parseConfig({ argv: ["doctor"], env: {}, readFile: noFile }).command, "doctor");
});

const accepted: [keyof Config, string, string, unknown][] = [
  ["listen", "--addr", "[::1]:8080", { host: "::1", port: 8080 }],
  ["listen", "--addr", "localhost:0", { host: "localhost", port: 0 }],
  ["baseUrl", "--base-url", "https://watch.example.com/", "https://watch.example.com"],
  ["maxBodyBytes", "--max-body-size", "2MB", 2_097_152],
  ["maxBodyBytes", "--max-body-size", "64k", 65_536],
  ["corsOrigins", "--cors-origins", "*", "*"],
  ["corsOrigins", "--cors-origins", "https://a.example, http://b.example:81", ["https://a.example", "http://b.example:81"]],
  ["allowedHosts", "--allowed-hosts", "Watch.Example.com,[::1]", ["watch.example.com", "[::1]"]],
  ["logLevel", "--log-level", "WARN", "warn"],
];
for (const [name, flag, given, value] of accepted) {
  test(`${flag} takes ${given}`, () => assert.deepEqual(configOf([flag, given])[name], value));
}

const refused: [string, string][] = [
  ["--addr", ":8080"],
  ["--addr", "127.0.0.1"],
  ["--addr", "127.0.0.1:65536"],
  ["--addr", "::1:8080"],
  ["--base-url", "watch.example.com"],
  ["--base-url", "https://watch.example.com/path"],
  ["--base-url", "https://u:p@watch.example.com"],
  ["--base-url", "ftp://watch.example.com"],
  ["--max-body-size", "1"],
  ["--max-body-size", "-5"],
  ["--max-body-size", "1e6"],
  ["--max-body-size", "99999999999G"],
  ["--cors-origins", "*,https://a.example"],
  ["--cors-origins", "https://a.example/x"],
  ["--allowed-hosts", "http://a"],
  ["--allowed-hosts", "a:80/x"],
  ["--mode", "cluster"],
  ["--admin-token", "short"],
];
for (const [flag, given] of refused) {
  test(`${flag} refuses ${given}`, () => assert.match(mistakesOf([`${flag}=${given}`]), new RegExp(`^${flag}: `)));
}

test("any text ends in a config or in a StartError, never in another exception", () => {
  const flags = Object.values(OPTIONS).map((option) => option.flag);
  fc.assert(
    fc.property(fc.constantFrom(...flags), fc.oneof(fc.string(), fc.webUrl(), fc.ipV6(), fc.nat().map(String)), (flag, given) => {
      try {
        parseConfig({ argv: [`${flag}=${given}`], env: {}, readFile: noFile });
      } catch (error) {
        assert.ok(error instanceof StartError);
      }
    }),
  );
});

test("a table may hold toggles: the flag alone means true", () => {
  const table = {
    insecure: { flag: "--insecure", env: "INSECURE", type: toggle, default: "false", help: "" },
    colour: { flag: "--colour", env: "COLOUR", type: choice(["red", "blue"]), help: "" },
    count: { flag: "--count", env: "COUNT", type: integer({ min: 0, max: 9 }), default: "3", help: "" },
    name: { flag: "--name", env: "NAME", type: text, help: "" },
  } as const;
  function valuesOf(...argv: string[]) {
    return readOptions(table, { argv, env: {}, readFile: noFile }).values;
  }
  assert.deepEqual(valuesOf(), { insecure: false, count: 3 });
  assert.deepEqual(valuesOf("--insecure", "--colour", "Red", "--name=a=b"), { insecure: true, colour: "red", count: 3, name: "a=b" });
  assert.deepEqual(valuesOf("--insecure=no").insecure, false);
});

test("help and the documentation name every option", () => {
  for (const option of Object.values(OPTIONS)) {
    for (const page of [helpText(), optionsPage()]) {
      assert.ok(page.includes(option.flag) && page.includes(variableOf(option)), option.flag);
    }
  }
  assert.ok(
    helpText()
      .split("\n")
      .every((line) => line.length <= 110),
  );
});

test("the documentation has a row for each option with all of its names", () => {
  const rows = optionsPage().split("\n");
  const rowOf = (option: Option): string => rows.find((row) => row.startsWith(`| \`${option.flag}\``)) ?? "";
  assert.equal(rowOf(OPTIONS.listen).split(" | ")[0], "| `--addr`<br>`SERVICE_ADDR`");
  assert.equal(rowOf(OPTIONS.adminToken).split(" | ")[0], "| `--admin-token`<br>`SERVICE_ADMIN_TOKEN`<br>`SERVICE_ADMIN_TOKEN_FILE`");
  for (const option of Object.values(OPTIONS)) assert.ok(rowOf(option).includes(option.help.replaceAll("|", "\\|")), option.flag);
});

test("an agent's server is grpcs://HOST[:PORT], and its port 443 unless given", () => {
  const serverOf = (given: string) => configOf(["--server", given]).server;
  assert.deepEqual(serverOf("grpcs://watch.example.com"), { host: "watch.example.com", port: 443, isPlain: false });
  assert.deepEqual(serverOf("GRPCS://Watch.example.com:8443/"), { host: "watch.example.com", port: 8443, isPlain: false });
  assert.deepEqual(serverOf("grpc://[::1]:8443"), { host: "::1", port: 8443, isPlain: true });
  for (const given of [
    "watch.example.com",
    "https://watch.example.com",
    "grpcs://",
    "grpcs://a/b",
    "grpcs://a:0",
    "grpcs://a:70000",
    "grpcs://u:pw@a",
  ]) {
    const mistakes = mistakesOf(["--server", given]);
    assert.match(mistakes, /--server: .* is not grpcs:\/\/HOST\[:PORT\]/);
    assert.doesNotMatch(mistakes, /pw/);
  }
});

test("the agent's options have the spellings and defaults of the specification", () => {
  const config = configOf([]);
  assert.deepEqual(
    [config.agentSpoolMaxMemoryBytes, config.agentSpoolMaxDiskBytes, config.agentSpoolMaxAgeSeconds],
    [16_777_216, 134_217_728, 86_400],
  );
  const given = configOf(["--agentSpoolMaxMemoryBytes", "0", "--agentSpoolMaxDiskBytes=0", "--agentSpoolMaxAgeSeconds=60"]);
  assert.deepEqual([given.agentSpoolMaxMemoryBytes, given.agentSpoolMaxDiskBytes, given.agentSpoolMaxAgeSeconds], [0, 0, 60]);
  assert.equal(configOf(["--label", "x".repeat(64)]).label?.length, 64);
  assert.match(mistakesOf(["--label", "x".repeat(65)]), /at most 64 characters/);
  assert.doesNotMatch(inspect(configOf(["--enrollment-token", "svc_enr_abc"])), /svc_enr_abc/);
});

test("updates can be switched off", () => {
  assert.equal(configOf([], { SERVICE_UPDATE_INTERVAL: "Off" }).updateInterval, null);
  assert.equal(configOf(["--update-interval=6h"]).updateInterval, 6 * 3_600_000);
  assert.match(mistakesOf(["--update-interval=10s"]), /"10s" is not a duration from 1m to 720h/);
});
