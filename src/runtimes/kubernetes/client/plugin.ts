import { spawn } from "node:child_process";
import { z } from "zod";
import type { Clock } from "../../../platform/clock.ts";
import { messageOf } from "../../../platform/errors.ts";
import { cleanName } from "../../../platform/text.ts";
import type { ClusterAccess, CredentialPlugin } from "./access.ts";
import { unavailable } from "./failures.ts";

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
      : { ...plugin.cluster, ...(authority !== null && { "certificate-authority-data": base64(authority) }) };
  const info = { apiVersion: plugin.apiVersion, kind: "ExecCredential", spec: { interactive: false, ...(cluster && { cluster }) } };
  const env = { ...plugin.environment, KUBERNETES_EXEC_INFO: JSON.stringify(info) };

  const output = await new Promise<string>((resolve, reject) => {
    // In a group of its own, so that what it started ends with it.
    const child = spawn(plugin.command, plugin.args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let complaint = "";
    const end = (reason: string): void => {
      reject(fails(reason));
      killGroup(child.pid);
    };
    const deadline = clock.after(WITHIN_MS, () => end(`did not finish within ${WITHIN_MS / 1000} s. Run it by hand to see why.`));
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
