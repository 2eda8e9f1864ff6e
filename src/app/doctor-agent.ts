import { createScanner } from "../collector/tls/scan.ts";
import type { Config } from "../config/config.ts";
import { readIdentity } from "../fleet/uplink/index.ts";
import { systemClock } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import { readAgentStatus } from "./agent-status.ts";
import type { Finding, Look } from "./finding.ts";
import { openTrust } from "./open-trust.ts";

/** What an agent needs in addition to a runtime. */
export function agentLooks(config: Config): Look[] {
  return [
    ["identity", async () => identityFindings(config)],
    ["server", () => serverFindings(config)],
    ["agent", async () => agentFindings(config)],
  ];
}

function identityFindings({ dataDir, enrollmentToken }: Config): Finding[] {
  try {
    const identity = readIdentity(dataDir);
    if (identity !== undefined) return [{ verdict: "ok", text: `enrolled with ${identity.server} as ${identity.agentId}` }];
    if (enrollmentToken !== undefined) return [{ verdict: "ok", text: "not enrolled yet; the token will be used at the next start" }];
    return [
      {
        verdict: "fail",
        text: "neither enrolled nor given a token. Make one on the server's page of hosts, and set SERVICE_ENROLLMENT_TOKEN.",
      },
    ];
  } catch (error) {
    return [{ verdict: "fail", text: messageOf(error) }];
  }
}

/** Looks at the server's certificate as the agent would, over one connection. */
async function serverFindings(config: Config): Promise<Finding[]> {
  const { server, serverFingerprint, grpcInsecureSkipTlsVerify: isUnchecked } = config;
  if (server === undefined) return [{ verdict: "fail", text: "not named. Set SERVICE_SERVER to grpcs://HOST[:PORT]." }];
  const { host, port, isPlain } = server;
  if (isPlain) return [{ verdict: "warn", text: `${host}:${port} is spoken to without TLS` }];
  const scan = createScanner({ trust: openTrust(config), clock: systemClock });
  const seen = await scan({ domain: host, port, serverName: host }, new AbortController().signal);
  if (seen.error !== null) return [{ verdict: "fail", text: seen.error }];
  if (serverFingerprint !== undefined) {
    const shown = `sha256:${(seen.leaf?.fingerprintSha256 ?? "").replaceAll(":", "").toLowerCase()}`;
    if (shown === serverFingerprint)
      return [{ verdict: "ok", text: `${host}:${port} answers, with the certificate of SERVICE_SERVER_FINGERPRINT` }];
    const remedy = "It is another server, or its certificate was replaced: compare with the fingerprint that the server logs at start.";
    return [
      {
        verdict: "fail",
        text: `${host}:${port} answers, and its certificate has the fingerprint ${shown}, not ${serverFingerprint}. ${remedy}`,
      },
    ];
  }
  const isNamed = seen.hostnameMatch !== false;
  if (seen.chainError === null && isNamed) return [{ verdict: "ok", text: `${host}:${port} answers, with a certificate that is trusted` }];
  const fault = seen.chainError ?? `Its certificate is not for ${host}.`;
  const remedy = isUnchecked
    ? "It is not checked, as --grpc-insecure-skip-tls-verify says."
    : isNamed
      ? "Give its authority with SERVICE_CA_CERT."
      : "Use the name that it is for.";
  return [{ verdict: isUnchecked ? "warn" : "fail", text: `${host}:${port} answers. ${fault} ${remedy}` }];
}

function agentFindings({ dataDir }: Config): Finding[] {
  const status = readAgentStatus(dataDir, systemClock);
  if (status === undefined) return [{ verdict: "ok", text: `none is running on ${dataDir}` }];
  const waiting = status.queued === 0 ? "" : `; ${status.queued} events wait`;
  const connection: Finding = status.connected
    ? { verdict: "ok", text: `running and connected${waiting}` }
    : { verdict: status.retired ? "fail" : "warn", text: `running, not connected: ${status.reason ?? "it has just begun"}${waiting}` };
  return [connection, ...status.too_large.map((text): Finding => ({ verdict: "warn", text }))];
}
