import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { statusSettingsQuery } from "../../api/status-settings.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";

/** How wide the page is drawn when it is shown as on a desktop. */
const DESKTOP_PX = 1000;

/** The real page as visitors see it now. It follows by itself; new settings reload it. */
export function Preview() {
  const { data: settings, isPending } = useQuery(statusSettingsQuery);
  const [isWide, setWide] = useState(false);
  const [loads, setLoads] = useState(0);
  return (
    <section aria-labelledby="preview-title" className="mt-8 xl:sticky xl:top-17 xl:mt-4 xl:h-[calc(100dvh-5.5rem)] xl:self-start">
      <div className="flex h-full flex-col">
        <header className="mb-2 flex min-h-8 items-center gap-2">
          <h2 id="preview-title" className="mr-auto text-xs font-semibold text-ink-2">
            Live preview
          </h2>
          {settings?.published === true && (
            <>
              <div role="group" aria-label="Preview size" className="flex gap-1">
                <Button kind="quiet" pressed={!isWide} onClick={() => setWide(false)}>
                  Phone
                </Button>
                <Button kind="quiet" pressed={isWide} onClick={() => setWide(true)}>
                  Desktop
                </Button>
              </div>
              <IconButton icon={RotateCw} label="Reload preview" onClick={() => setLoads(loads + 1)} />
            </>
          )}
        </header>
        {settings?.published === false ? (
          <p className="rounded border border-line bg-sunken px-4 py-6 text-ink-2">
            The page is not published and returns 404. Publish it in its settings to see it here.
          </p>
        ) : (
          <Frame key={`${settings?.updated_at ?? ""} ${loads}`} isWide={isWide} isReady={!isPending} />
        )}
      </div>
    </section>
  );
}

function Frame({ isWide, isReady }: { isWide: boolean; isReady: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const scale = isWide && size.width > 0 ? Math.min(1, size.width / DESKTOP_PX) : 1;
  return (
    <div ref={box} className="h-[36rem] min-h-0 overflow-hidden rounded border border-line-strong bg-surface xl:h-auto xl:flex-1">
      {isReady && (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- it is a page of this server, and must reach its own events
        <iframe
          src="/status/"
          title="Status page preview"
          loading="lazy"
          className="block origin-top-left border-0"
          style={{ width: size.width / scale, height: size.height / scale, transform: scale === 1 ? undefined : `scale(${scale})` }}
        />
      )}
    </div>
  );
}
