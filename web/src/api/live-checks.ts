import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import type { CheckList, EndpointDetail, ResponseTimes } from "../../../src/monitoring/endpoints/answers.ts";
import { extendResponseTimes, extendSparklines, patchEndpoint, patchRows, prependCheck, type CheckEvent } from "./apply-check.ts";
import { certificatesQuery } from "./certificate-queries.ts";
import { coalesce } from "./coalesce.ts";
import { endpointQuery, endpointSparklinesQuery, endpointsQuery } from "./endpoint-queries.ts";
import type { LiveUpdates } from "./live-stream.ts";

/** Keeps what is known of endpoints and certificates as their events say. A check is applied in place; what else changed is read again. */
export function createCheckUpdates(queryClient: QueryClient): LiveUpdates<"endpoint" | "certificate"> {
  let waiting: CheckEvent[] = [];
  const endpointIds = new Set<number>();
  const certificateIds = new Set<number>();

  /** Endpoints that are checked at the same time cost one rendering. */
  const applySoon = coalesce(
    () => {
      const events = waiting;
      waiting = [];
      const latest = new Map(events.map((event) => [event.endpoint_id, event]));
      queryClient.setQueryData(endpointsQuery().queryKey, (list) => list && patchRows(list, latest));
      queryClient.setQueryData(endpointSparklinesQuery.queryKey, (lines) => lines && extendSparklines(lines, events));
      if (queryClient.getQueryCache().findAll({ queryKey: ["endpoint"] }).length > 0) for (const event of events) patchSingle(event);
    },
    { quietMs: 50, longestMs: 500 },
  );
  const endpointsSoon = coalesce(
    () => {
      reread(["endpoints"]);
      for (const id of endpointIds) reread(["endpoint", id]);
      endpointIds.clear();
    },
    { quietMs: 250, longestMs: 1000 },
  );
  const certificatesSoon = coalesce(
    () => {
      reread(certificatesQuery.queryKey);
      for (const id of certificateIds) reread(["certificate", id]);
      certificateIds.clear();
    },
    { quietMs: 250, longestMs: 1000 },
  );

  function reread(queryKey: QueryKey): void {
    void queryClient.invalidateQueries({ queryKey });
  }

  /** What is known of one endpoint: its page was open of late. */
  function patchSingle(event: CheckEvent): void {
    const id = event.endpoint_id;
    queryClient.setQueryData(endpointQuery(id).queryKey, (detail): EndpointDetail | undefined => detail && patchEndpoint(detail, event));
    queryClient.setQueryData<InfiniteData<CheckList>>(["endpoint", id, "checks"], (data) => {
      const first = data?.pages[0];
      return data === undefined || first === undefined ? data : { ...data, pages: data.pages.with(0, prependCheck(first, event)) };
    });
    queryClient.setQueriesData<ResponseTimes>(
      { queryKey: ["endpoint", id, "response-times"] },
      (times) => times && extendResponseTimes(times, event),
    );
  }

  function endpointChanged({ id }: { id: number }): void {
    endpointIds.add(id);
    endpointsSoon.call();
  }

  function certificateChanged({ id }: { id: number }): void {
    certificateIds.add(id);
    certificatesSoon.call();
  }

  return {
    events: {
      "endpoint.check_result": (event) => {
        waiting.push(event);
        applySoon.call();
      },
      "endpoint.alert": endpointChanged,
      "endpoint.recovery": endpointChanged,
      "endpoint.created": endpointChanged,
      "endpoint.updated": endpointChanged,
      "endpoint.removed": endpointChanged,
      "certificate.alert": certificateChanged,
      "certificate.recovery": certificateChanged,
      "certificate.created": certificateChanged,
      "certificate.updated": certificateChanged,
      "certificate.deleted": certificateChanged,
    },
    reread() {
      for (const key of ["endpoints", "endpoint", "endpoint-sparklines", "certificates", "certificate"]) reread([key]);
    },
    cancel() {
      for (const pending of [applySoon, endpointsSoon, certificatesSoon]) pending.cancel();
    },
  };
}
