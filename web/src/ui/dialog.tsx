import { lazy, Suspense, useState } from "react";
import type { DialogProperties } from "./dialog-window.tsx";

const DialogWindow = lazy(() => import("./dialog-window.tsx").then((module) => ({ default: module.DialogWindow })));

/** A window over the page that takes the keyboard until it is closed. What draws it is loaded when the first one is opened, or some seconds after the app (main.tsx). */
export function Dialog(properties: DialogProperties) {
  const [wasOpened, setWasOpened] = useState(properties.open);
  if (properties.open && !wasOpened) setWasOpened(true);
  return <Suspense>{wasOpened && <DialogWindow {...properties} />}</Suspense>;
}
