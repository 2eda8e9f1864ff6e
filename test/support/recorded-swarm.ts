/** Answers of a manager (Docker 20.10, API 1.41), recorded for one service with one task, and multiplied. */

const NODE_ID = "gjepgfjv8dfqjfyro8k80l9sz";
const AT = "2026-11-26T02:15:16.132514236Z";
const LABELS = { team: "shop" };
const CONTAINER_SPEC = { Image: "shop/web:2", Labels: LABELS, Env: ["A=b"], Init: false, DNSConfig: {}, Isolation: "default" };
const TASK_SPEC = {
  ContainerSpec: CONTAINER_SPEC,
  Resources: { Limits: { MemoryBytes: 67_108_864 }, Reservations: {} },
  Placement: { Constraints: ["node.role==worker"], Platforms: [{ Architecture: "amd64", OS: "linux" }] },
  Networks: [{ Target: "uvq7bpwuzp1iqrz2k7pldn5lk", Aliases: ["web"] }],
  ForceUpdate: 0,
};
const PORTS = [{ Protocol: "tcp", TargetPort: 80, PublishedPort: 8080, PublishMode: "host" }];

/** Of an overlay network, as each task of a stack has one. */
const NETWORK = {
  Network: {
    ID: "uvq7bpwuzp1iqrz2k7pldn5lk",
    Version: { Index: 21 },
    CreatedAt: AT,
    UpdatedAt: AT,
    Spec: {
      Name: "shop_default",
      Labels: { "com.docker.stack.namespace": "shop" },
      DriverConfiguration: { Name: "overlay" },
      IPAMOptions: { Driver: { Name: "default" } },
      Scope: "swarm",
    },
    DriverState: { Name: "overlay", Options: { "com.docker.network.driver.overlay.vxlanid_list": "4097" } },
    IPAMOptions: { Driver: { Name: "default" }, Configs: [{ Subnet: "10.0.1.0/24", Gateway: "10.0.1.1" }] },
  },
  Addresses: ["10.0.1.9/24"],
};

const NODE = {
  ID: NODE_ID,
  Version: { Index: 9 },
  CreatedAt: AT,
  UpdatedAt: AT,
  Spec: { Labels: {}, Role: "manager", Availability: "active" },
  Description: {
    Hostname: "node-1",
    Platform: { Architecture: "x86_64", OS: "linux" },
    Resources: { NanoCPUs: 2_000_000_000, MemoryBytes: 25_276_026_880 },
    Engine: { EngineVersion: "20.10.24", Plugins: ["bridge", "host", "ipvlan", "overlay"].map((Name) => ({ Type: "Network", Name })) },
  },
  Status: { State: "ready", Addr: "10.79.16.2" },
  ManagerStatus: { Leader: true, Reachability: "reachable", Addr: "10.79.16.2:2377" },
};

function serviceId(index: number): string {
  return `yaekpqx5awm2biabj98hm${String(index).padStart(4, "0")}`;
}

function recordedService(index: number, replicas: number) {
  const Spec = {
    Name: `shop_web-${index}`,
    Labels: { "com.docker.stack.namespace": `shop-${index % 20}`, "service.group": `shop-${index % 20}` },
    TaskTemplate: { ...TASK_SPEC, Runtime: "container" },
    Mode: { Replicated: { Replicas: replicas } },
    EndpointSpec: { Mode: "vip", Ports: PORTS },
  };
  return {
    ...{ ID: serviceId(index), Version: { Index: 12 }, CreatedAt: AT, UpdatedAt: AT, Spec },
    PreviousSpec: Spec,
    Endpoint: { Spec: { Mode: "vip", Ports: PORTS }, Ports: PORTS },
    UpdateStatus: { State: "completed", StartedAt: AT, CompletedAt: AT, Message: "update completed" },
  };
}

function recordedTask(index: number, services: number) {
  const Ports = PORTS;
  return {
    ...{ ID: `lwrutfyq2ikt9mglupuw${String(index).padStart(5, "0")}`, Version: { Index: 18 }, CreatedAt: AT, UpdatedAt: AT, Labels: {} },
    ...{ Spec: TASK_SPEC, ServiceID: serviceId(index % services), Slot: 1 + Math.floor(index / services), NodeID: NODE_ID },
    Status: {
      ...{ Timestamp: "2026-11-26T02:15:18.985396417Z", State: "running", Message: "started" },
      ContainerStatus: { ContainerID: index.toString(16).padStart(64, "6c3385f4"), PID: 1000 + index, ExitCode: 0 },
      PortStatus: { Ports },
    },
    DesiredState: "running",
    NetworksAttachments: [NETWORK],
  };
}

/** Answers by path, for {@link startEngineAnswers}. */
export function recordedSwarm({ services, tasks }: { services: number; tasks: number }): Record<string, unknown> {
  return {
    "/_ping": {},
    "/version": { ApiVersion: "1.41", MinAPIVersion: "1.12", Version: "20.10.24" },
    "/info": {
      ...{ ID: "engine", Name: "node-1", OperatingSystem: "Debian GNU/Linux 12" },
      Swarm: { NodeID: NODE_ID, LocalNodeState: "active", ControlAvailable: true, Cluster: { ID: "365a1kdjz3ou2i40g0xlc9phk" } },
    },
    "/containers/json": [],
    "/nodes": [NODE],
    "/services": Array.from({ length: services }, (_, index) => recordedService(index, Math.floor(tasks / services))),
    "/tasks": Array.from({ length: tasks }, (_, index) => recordedTask(index, services)),
  };
}
