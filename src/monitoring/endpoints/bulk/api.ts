import { z } from "zod";
import { bulkBody, callerKey } from "../../../http/bulk.ts";
import { httpBody, tcpBody, withinInterval } from "../api.ts";

const key = { key: callerKey };

/** A standalone endpoint as one of many. A masked value of `target` or `headers` keeps what it stands for. */
const item = withinInterval(z.discriminatedUnion("type", [httpBody.extend(key), tcpBody.extend(key)]));
export type EndpointItem = z.infer<typeof item>;

export const endpointBulkBody = bulkBody("endpoints", item);
