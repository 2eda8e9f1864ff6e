/** What a page tells the service worker: that it is open and quiet, or that nobody looks at it any more. */
export interface Message {
  kind: "begin" | "refresh";
}
