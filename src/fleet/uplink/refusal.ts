/** Why a call to the server failed, as the server or the connection said. */
import type { Metadata } from "@grpc/grpc-js";
import { messageOf } from "../../platform/errors.ts";
import { cleanName } from "../../platform/text.ts";

export interface Refusal {
  /** The error code of the service; undefined when the failure was not of its making, as with a broken connection. */
  code: string | undefined;
  /** A sentence for the log. */
  reason: string;
}

const CODE = /^[a-zA-Z_]{1,64}$/;
const LONGEST_REASON = 500;

/** Reads an error of gRPC. What came from the server is bounded and cleaned. */
export function refusalOf(error: unknown): Refusal {
  const { details, metadata } = partsOf(error);
  const [told] = metadata?.get("service-code") ?? [];
  const code = typeof told === "string" && CODE.test(told) ? told.replace("EDITION_REQUIRED", "edition_required") : undefined;
  return { code, reason: cleanName(plainly(details ?? messageOf(error)), LONGEST_REASON) };
}

/** Without what gRPC says around the reason of a connection that did not come about. */
function plainly(text: string): string {
  return text.replace(/^No connection established\. Last error: (?:Error: )?/, "").replace(/\.? Resolution note:\s*$/, ".");
}

function partsOf(error: unknown): { details?: string; metadata?: Metadata } {
  // Every error that gRPC ends a call with has these.
  return error instanceof Error ? (error as Error & { details?: string; metadata?: Metadata }) : {};
}
