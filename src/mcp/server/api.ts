import { z } from "zod";

/** An error of JSON-RPC. Source: JSON-RPC 2.0, section 5.1. */
export const rpcError = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  error: z.object({ code: z.number().int(), message: z.string(), data: z.unknown().optional() }),
});
