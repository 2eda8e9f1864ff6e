import { Metadata, type ServerErrorResponse, status } from "@grpc/grpc-js";
import { ERROR_TABLE, isServiceError, ServiceError } from "../../platform/errors.ts";

/** The trailer that names the code of a refusal. */
export const CODE_TRAILER = "service-code";

/** The gRPC status of a failure: the code's own, with the sentence as details and the code as a trailer; of a defect nothing is told. */
export function statusOf(error: unknown): Required<Pick<ServerErrorResponse, "code" | "details" | "metadata" | "name" | "message">> {
  const told = isServiceError(error) ? error : new ServiceError("internal", "Something went wrong on the server.");
  const metadata = new Metadata();
  metadata.set(CODE_TRAILER, told.code === "EDITION_REQUIRED" ? "edition_required" : told.code);
  return { name: told.code, message: told.message, code: status[ERROR_TABLE[told.code].grpc], details: told.message, metadata };
}
