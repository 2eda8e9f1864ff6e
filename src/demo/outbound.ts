import { ServiceError } from "../platform/errors.ts";
import { type Outbound, OutboundError } from "../platform/outbound.ts";

/** Takes every message and sends none: of channels and webhooks all are delivered, and whoever asks for something gets no answer. */
export function createDemoOutbound(): Outbound {
  return {
    allowPrivate: false,
    async check(urlText) {
      const url = URL.parse(urlText);
      if (url === null || !/^https?:$/.test(url.protocol)) {
        const message = "Write a URL that begins with https://";
        throw new ServiceError("unusable_values", `The address is not allowed. ${message}.`, [{ path: "url", message }]);
      }
      return url;
    },
    send: async () => ({ status: 200, retryAfterMs: null, headers: {} }),
    async open() {
      throw new OutboundError("This is a demo: nothing outside is asked", "connection");
    },
    stop: () => undefined,
  };
}
