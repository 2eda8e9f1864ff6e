import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RuntimeConnection } from "../../observations.ts";
import type * as wire from "./gen/service/agent/v1/ingest_pb.ts";
import { MAX_ERROR, MAX_NAME } from "./limits.ts";
import { dateOf, msOf, optionalName, required } from "./values.ts";
import { RUNTIMES } from "./vocabulary.ts";

export function toRuntime(status: RuntimeConnection): MessageInitShape<typeof wire.RuntimeChangedSchema> {
  return {
    runtime: RUNTIMES.numbers[status.runtime],
    connected: status.connected,
    version: status.version ?? undefined,
    apiVersion: status.apiVersion ?? undefined,
    error: status.error ?? undefined,
    sinceMs: msOf(status.since),
  };
}

export function fromRuntime(sent: wire.RuntimeChanged, where: string, observedAt: Date): RuntimeConnection {
  const since = dateOf(sent.sinceMs, `${where}.since_ms`);
  return {
    runtime: required(RUNTIMES.wordOf(sent.runtime), `${where}.runtime`),
    connected: sent.connected,
    version: optionalName(sent.version, `${where}.version`, MAX_NAME),
    apiVersion: optionalName(sent.apiVersion, `${where}.api_version`, MAX_NAME),
    error: optionalName(sent.error, `${where}.error`, MAX_ERROR),
    // The agent's clock may have been set back meanwhile.
    since: since > observedAt ? observedAt : since,
  };
}
