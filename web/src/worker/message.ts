/** What a page sends to the service worker: that it is open and idle, or that it is hidden. */
export interface Message {
  kind: "begin" | "refresh";
}
