import type { z } from "zod";
import { bulkAnswer } from "../../../http/bulk.ts";

export const endpointBulkAnswer = bulkAnswer("endpoints", {});
export type EndpointBulkAnswer = z.infer<typeof endpointBulkAnswer>;
