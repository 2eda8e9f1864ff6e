import type { SecureContextOptions } from "node:tls";
import { readBoundedFile } from "../../../platform/bounded-file.ts";
import type { Clock } from "../../../platform/clock.ts";
import { messageOf } from "../../../platform/errors.ts";
import type { ClusterAccess, ClusterIdentity, Material } from "./access.ts";
import { unavailable } from "./failures.ts";
import { type PluginCredentials, runPlugin } from "./plugin.ts";

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

/** Reads credentials as they are needed, and anew as they are replaced. */
export interface CredentialSource {
  current(): Promise<Credentials>;
  /** After they were refused: the next ones are read anew. */
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
