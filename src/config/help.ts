import { COMMANDS, fileFlagOf, fileVariableOf, OPTIONS, usageOf, variableOf, type Option } from "./options.ts";

/** What `binnacle help` prints. */
export function helpText(): string {
  const commands = Object.entries(COMMANDS).map(([name, what]) => `  ${usageOf(name).padEnd(14)}${what}`);
  const options = Object.values(OPTIONS).map((option) => {
    const [heading, ...lines] = [`${option.flag} ${option.type.name}`, ...wrap(describe(option), 84)];
    return [`  ${heading}`, ...lines.map((line) => `      ${line}`), `      ${originOf(option)}`].join("\n");
  });
  return [
    "Binnacle watches the containers of this host: what runs, what broke, since when, and why.",
    "",
    "Usage: binnacle [COMMAND] [OPTIONS]",
    "",
    "Commands",
    ...commands,
    "",
    "Options. A flag counts before its variable, a variable before the default.",
    ...options,
    "",
    "Every option marked with a file may also be read from one, so that the secret itself is in no process list.",
    "",
  ].join("\n");
}

/** The page docs/options.md. */
export function optionsPage(): string {
  const rows = Object.values(OPTIONS).map((option: Option) => {
    const names = [option.flag, variableOf(option), fileVariableOf(option)].filter((name) => name !== undefined);
    const cells = [names.map((name) => `\`${name}\``).join("<br>"), `\`${option.type.name}\``, defaultOf(option), option.help];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return [
    "# Options",
    "",
    "<!-- Written by `npm run generate` from src/config/options.ts; change it there. -->",
    "",
    "A flag counts before its variable, a variable before the default; an empty variable counts as not set. Flags are written",
    "`--addr=127.0.0.1:9000` or `--addr 127.0.0.1:9000`. A secret may also be read from a file, named by the variable that ends in",
    "`_FILE` or the flag that ends in `-file`; giving both the secret and its file is a mistake. All mistakes are reported at once, and",
    "the program then ends with exit code 2. A `SERVICE_*` variable that is not an option is named in a warning, with the option it resembles.",
    "",
    "| flag, variable | value | default | meaning |",
    "|---|---|---|---|",
    ...rows,
    "",
    "## Commands",
    "",
    "| command | what it does |",
    "|---|---|",
    ...Object.entries(COMMANDS).map(([name, what]) => `| \`${usageOf(name)}\` | ${what} |`),
    "",
    "## Notes",
    "",
    "- **Networks** may have host bits set: `10.1.2.3/8` means `10.0.0.0/8`. IPv4 written as IPv6 is the IPv4 address.",
    "- **Sizes** are bytes, or take a unit: `512K`, `1MB`, `2GiB`; all units are powers of 1024.",
    "- **`SERVICE_DATABASE_URL`** gets `sslmode=require` unless it names an sslmode or its host is loopback or a Unix socket.",
    "- **`SERVICE_LICENSE_KEY`**: a key that was verified is kept as `licence.json` in the data folder, readable by the program's user alone, and",
    "  holds for starts without the option. Delete the file to return to the Community edition.",
    "- **Docker's own variables** `DOCKER_HOST`, `DOCKER_CERT_PATH` and `DOCKER_TLS_VERIFY` mean what they mean to Docker.",
    "",
  ].join("\n");
}

function describe(option: Option): string {
  return `${option.help} Default: ${option.default === "" ? "none" : (option.default ?? option.otherwise ?? "none")}.`;
}

function originOf(option: Option): string {
  const file = fileVariableOf(option);
  return file === undefined ? variableOf(option) : `${variableOf(option)}, or a file: ${file}, ${fileFlagOf(option) ?? ""} PATH`;
}

function defaultOf(option: Option): string {
  if (option.default === undefined) return option.otherwise ?? "none";
  return option.default === "" ? "none" : `\`${option.default}\``;
}

function wrap(sentence: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of sentence.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
