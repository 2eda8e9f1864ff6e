import { z } from "zod";
import { bulkAnswer } from "../../../http/bulk.ts";

export const heartbeatBulkAnswer = bulkAnswer("heartbeats", { ping_url: z.url() });
export type HeartbeatBulkAnswer = z.infer<typeof heartbeatBulkAnswer>;
