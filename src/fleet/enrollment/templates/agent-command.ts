/** What a template is made for. */
export interface Installation {
  /** `grpcs://HOST:PORT`. */
  serverUrl: string;
  token: string;
  /** Of the token: what the agent is called; null where that is left to it. */
  label: string | null;
  expiresAt: Date;
  /** Of the server's certificate, as `sha256:HEX`, where no authority vouches for it. */
  serverFingerprint: string | undefined;
}

export const AGENT_IMAGE = "binnacle";
/** As the image is built, see deploy/Dockerfile. */
export const IMAGE_USER = 1000;
/** How much an agent may take. */
export const MEMORY_MEBIBYTES = 256;

/** What an agent's program is started with. The token is not among it: arguments can be read by every user of a host. */
export function agentArguments({ serverUrl, serverFingerprint }: Pick<Installation, "serverUrl" | "serverFingerprint">): string[] {
  return [
    "--mode=agent",
    `--server=${serverUrl}`,
    ...(serverFingerprint === undefined ? [] : [`--server-fingerprint=${serverFingerprint}`]),
  ];
}

/** One word of a command for a POSIX shell. */
export function quoteShell(text: string): string {
  return /^[\w/:=.,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text in YAML: what JSON writes is YAML too. */
export function quoteYaml(text: string): string {
  return JSON.stringify(text);
}

/** The same in a compose file, where a dollar begins a variable. */
export function quoteCompose(text: string): string {
  return quoteYaml(text).replaceAll("$", "$$$$");
}

/** A list of texts in YAML, on one line. */
export function yamlList(texts: readonly string[], quote: (text: string) => string): string {
  return `[${texts.map(quote).join(", ")}]`;
}
