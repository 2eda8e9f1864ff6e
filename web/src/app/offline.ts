import type { Message } from "../worker/message.ts";

/** Lets the browser open the app when the server cannot be reached. The last state is fetched once more when the page is left. */
export async function keepForOffline(): Promise<void> {
  await navigator.serviceWorker.register("/worker.js");
  const { active } = await navigator.serviceWorker.ready;
  const post = (message: Message): void => active?.postMessage(message);
  post({ kind: "begin" });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") post({ kind: "refresh" });
  });
}
