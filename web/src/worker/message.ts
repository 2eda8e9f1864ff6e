/** What a page sends to the service worker: that it is open and idle, or that it is hidden. */
export interface Message {
  kind: "begin" | "refresh";
}

/** What the service worker sends to a page: a notification was pressed that leads to `path`. */
export interface PageMessage {
  kind: "open";
  path: string;
}
