import type { RequestId, Server } from "@modelcontextprotocol/server";

/** Runs the work of a request with a signal that is aborted when its client takes the request back. */
export type Cancelling = <Result>(
  request: { id: RequestId; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<Result>,
) => Promise<Result>;

/** As the SDK does it: what was taken back is not answered. */
export const asTheSdk: Cancelling = (request, work) => work(request.signal);

/** In a session over HTTP every POST waits for its answer, so what was taken back is answered too. */
export function answeringCancelled(server: Server): Cancelling {
  const underWay = new Map<RequestId, AbortController>();
  server.setNotificationHandler("notifications/cancelled", ({ params: { requestId } }) => {
    if (requestId !== undefined) underWay.get(requestId)?.abort();
  });
  return async ({ id, signal }, work) => {
    const controller = new AbortController();
    underWay.set(id, controller);
    const end = (): void => controller.abort();
    signal.addEventListener("abort", end, { once: true });
    try {
      return await work(controller.signal);
    } finally {
      signal.removeEventListener("abort", end);
      if (underWay.get(id) === controller) underWay.delete(id);
    }
  };
}
