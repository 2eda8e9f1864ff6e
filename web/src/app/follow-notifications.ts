import type { AnyRouter } from "@tanstack/react-router";
import type { PageMessage } from "../worker/message.ts";

/** Opens what a pressed notification leads to, as a link does: a form with changes asks first. */
export function followNotifications({ history }: Pick<AnyRouter, "history">): void {
  // Without https there is no worker.
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    const { kind, path } = data as PageMessage;
    if (kind === "open" && path !== history.location.pathname + history.location.search) history.push(path);
  });
}
