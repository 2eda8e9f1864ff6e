import { isProgramPath } from "../../../src/contract/program-paths.ts";
import type { PushBody } from "../../../src/contract/push.ts";
import type { PageMessage } from "./message.ts";

declare const self: ServiceWorkerGlobalScope;

/** Without a message that it can read, a browser must still show something. */
const UNREADABLE: PushBody = {
  title: "Binnacle",
  body: "Open the app to see your alerts.",
  tag: "unreadable",
  url: "/alerts",
  stays: false,
  quiet: false,
  at: Date.now(),
};

/** Shows what was pushed. It replaces the previous notification of the same alert. */
export async function showPush(data: PushMessageData | null): Promise<void> {
  const { title, body, tag, url, stays, quiet, at } = readPush(data);
  const options = {
    body,
    tag,
    icon: "/icon-192.png",
    badge: "/icon-192.png",
    requireInteraction: stays,
    renotify: !quiet,
    silent: quiet,
    timestamp: at,
    data: { path: pathOf(url) },
  };
  await self.registration.showNotification(title, options);
}

function readPush(data: PushMessageData | null): PushBody {
  try {
    return (data?.json() as PushBody | undefined) ?? UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/** On this server, whatever host its configuration names. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}

/** Opens the page of the alert: in an open window of the app if there is one, which asks first where something is typed. */
export async function openNotification(notification: Notification): Promise<void> {
  notification.close();
  const { path } = notification.data as { path: string };
  const windows = (await self.clients.matchAll({ type: "window", includeUncontrolled: true })).filter(
    ({ url }) => !isProgramPath(new URL(url).pathname),
  );
  const isThere = ({ url }: WindowClient): boolean => pathOf(url) === path;
  const client = windows.find(isThere) ?? windows.find(({ url }) => !new URL(url).pathname.startsWith("/wall")) ?? windows[0];
  if (client === undefined) {
    await self.clients.openWindow(path);
    return;
  }
  client.postMessage({ kind: "open", path } satisfies PageMessage);
  await client.focus();
}
