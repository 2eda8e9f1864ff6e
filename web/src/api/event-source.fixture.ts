/** As a browser has it: it opens, fails and ends when the test receives so. */
export class TestSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 0;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
  }
  close(): void {
    this.readyState = TestSource.CLOSED;
  }
  receives(name: string, data: object = {}): void {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data), lastEventId: "" }));
  }
}

/** Gives a test what the event stream needs of a browser, and returns what is opened. */
export function standInForBrowser(document: EventTarget): TestSource[] {
  const sources: TestSource[] = [];
  Object.assign(globalThis, {
    window: new EventTarget(),
    document,
    EventSource: class extends TestSource {
      constructor(url: string) {
        super(url);
        sources.push(this);
      }
    },
  });
  return sources;
}
