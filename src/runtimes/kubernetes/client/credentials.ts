import { spawn } from "node:child_process";
import type { SecureContextOptions } from "node:tls";
import { z } from "zod";
import { readBoundedFile } from "../../../platform/files.ts";
import type { Clock } from "../../../platform/clock.ts";
import { messageOf } from "../../../platform/errors.ts";
import { cleanName } from "../../../platform/text.ts";
import { parseJson } from "../../json.ts";
import type { ClusterAccess, ClusterIdentity, Material, CredentialPlugin } from "./access.ts";
import { unavailable } from "./failures.ts";

/** How long a file counts as read: tokens of service accounts are replaced long before they expire. */
const FILE_MS = 10_000;
const MAX_FILE_BYTES = 1024 * 1024;
/** What a plug-in gave is replaced this long before it expires. */
const AHEAD_MS = 10_000;
/** A plug-in whose credentials are refused again and again is not run more often. */
const PLUGIN_PAUSE_MS = 5000;

/** What is shown to the API server with a request. */
export interface Credentials {
  authorization: string | null;
  tls: Pick<SecureContextOptions, "ca" | "cert" | "key">;
}

/** Reads credentials as they are needed, and again when they are replaced. */
export interface CredentialSource {
  current(): Promise<Credentials>;
  /** After they were refused: the next ones are read again. */
  reread(): void;
}

export function createCredentialSource(access: ClusterAccess, clock: Clock): CredentialSource {
  const { authority } = access;
  let { identity } = access;
  const files = new Map<string, { text: string; readMs: number }>();
  let fromPlugin: { credentials: Promise<PluginCredentials>; ranMs: number } | undefined;

  function read(material: Material | null, what: string): string | null {
    if (material === null) return null;
    if (material.kind === "text") return material.text;
    const known = files.get(material.path);
    if (known !== undefined && clock.monotonicMs() - known.readMs < FILE_MS) return known.text;
    try {
      const text = readBoundedFile(material.path, MAX_FILE_BYTES);
      files.set(material.path, { text, readMs: clock.monotonicMs() });
      return text;
    } catch (error) {
      throw unavailable(
        access,
        `${what} cannot be read: ${messageOf(error)}. Make the file readable, or correct its path in ${access.origin}.`,
        error,
      );
    }
  }

  async function plugIn(authorityText: string | null): Promise<PluginCredentials | null> {
    if (identity.plugin === null) return null;
    const { plugin } = identity;
    const known = await fromPlugin?.credentials.catch(() => undefined);
    const isOver = known?.expiresAt != null && known.expiresAt.getTime() - clock.now().getTime() < AHEAD_MS;
    const isPaused = fromPlugin !== undefined && clock.monotonicMs() - fromPlugin.ranMs < PLUGIN_PAUSE_MS;
    if (fromPlugin === undefined || ((known === undefined || isOver) && !isPaused)) {
      fromPlugin = { credentials: runPlugin(plugin, { access, authority: authorityText, clock }), ranMs: clock.monotonicMs() };
    }
    return fromPlugin.credentials;
  }

  return {
    async current() {
      const ca = read(authority, "the certificate of its authority");
      const plugged = await plugIn(ca);
      const token = plugged?.token ?? read(identity.token, "the token")?.trim() ?? null;
      const cert = plugged?.certificate?.certificate ?? read(identity.certificate?.certificate ?? null, "the client certificate");
      const key = plugged?.certificate?.key ?? read(identity.certificate?.key ?? null, "the key of the client certificate");
      // A token with a line break would begin another header.
      if (token !== null && !/^[\x21-\x7e]+$/.test(token))
        throw unavailable(access, `the token of ${access.origin} has characters that no token has. Replace it.`);
      return {
        authorization: token === null ? null : `Bearer ${token}`,
        tls: { ...(ca !== null && { ca }), ...(cert !== null && key !== null && { cert, key }) },
      };
    },
    reread() {
      files.clear();
      identity = renewed(access) ?? identity;
      if (fromPlugin !== undefined && clock.monotonicMs() - fromPlugin.ranMs >= PLUGIN_PAUSE_MS) fromPlugin = undefined;
    },
  };
}

/** Undefined where there are no others: a file that is being written over is read again at the next refusal. */
function renewed(access: ClusterAccess): ClusterIdentity | undefined {
  try {
    return access.renewed?.();
  } catch {
    return undefined;
  }
}

const WITHIN_MS = 30_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_ERROR_BYTES = 4096;

/** What a plug-in printed. `expiresAt` is null where they hold until they are refused. */
export interface PluginCredentials {
  token: string | null;
  certificate: { certificate: string; key: string } | null;
  expiresAt: Date | null;
}

const printed = z.object({
  kind: z.literal("ExecCredential"),
  status: z.object({
    token: z.string().nullish(),
    clientCertificateData: z.string().nullish(),
    clientKeyData: z.string().nullish(),
    expirationTimestamp: z.iso.datetime({ offset: true }).nullish(),
  }),
});

/**
 * Runs the exec plug-in of a kubeconfig and reads what it prints, by the API client.authentication.k8s.io. It gets no standard input, 30 seconds and
 * 1 MiB. Throws `runtime_unavailable`, which quotes what it wrote to standard error and never what it printed.
 */
export async function runPlugin(
  plugin: CredentialPlugin,
  { access, authority, clock }: { access: ClusterAccess; authority: string | null; clock: Clock },
): Promise<PluginCredentials> {
  const fails = (reason: string, cause?: unknown) =>
    unavailable(access, `the exec plug-in ${plugin.command} of ${access.origin} ${reason}`, cause);
  const cluster =
    plugin.cluster === null
      ? undefined
      : { ...plugin.cluster, ...(authority !== null && { "certificate-authority-data": Buffer.from(authority).toString("base64") }) };
  const info = { apiVersion: plugin.apiVersion, kind: "ExecCredential", spec: { interactive: false, ...(cluster && { cluster }) } };
  const env = { ...plugin.environment, KUBERNETES_EXEC_INFO: JSON.stringify(info) };

  const output = await new Promise<string>((resolve, reject) => {
    // In a separate process group, so that what it started ends with it.
    const child = spawn(plugin.command, plugin.args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let complaint = "";
    const end = (reason: string): void => {
      reject(fails(reason));
      killGroup(child.pid);
    };
    const deadline = clock.after(WITHIN_MS, () => end(`did not finish within ${WITHIN_MS / 1000} s. Run it manually to see why.`));
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) end(`printed more than ${MAX_OUTPUT_BYTES} bytes.`);
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (complaint.length < MAX_ERROR_BYTES) complaint += chunk.toString("utf8");
    });
    child.on("error", (error) => {
      deadline.cancel();
      reject(
        fails(`cannot be run: ${messageOf(error)}. ${cleanName(plugin.installHint ?? "Install it, or correct its command.", 1000)}`, error),
      );
    });
    child.on("close", (code, signal) => {
      deadline.cancel();
      if (code === 0) resolve(Buffer.concat(chunks, bytes).toString("utf8"));
      else reject(fails(`ended with ${signal ?? `code ${code}`}: ${cleanName(complaint, 300) || "it gave no reason"}`));
    });
  });
  return credentialsOf(output, fails);
}

function credentialsOf(output: string, fails: (reason: string) => Error): PluginCredentials {
  const parsed = printed.safeParse(parseJson(output));
  if (!parsed.success) throw fails(`printed no ExecCredential (${parsed.error.issues[0]?.path.join(".") || "it is no such object"}).`);
  const { token, clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } = parsed.data.status;
  const isPair = Boolean(certificate) && Boolean(key);
  if (!token && !isPair) throw fails("printed neither a token nor a certificate with its key.");
  return {
    token: token || null,
    certificate: isPair ? { certificate: certificate ?? "", key: key ?? "" } : null,
    expiresAt: expirationTimestamp == null ? null : new Date(expirationTimestamp),
  };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
