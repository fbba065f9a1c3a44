import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What stands between the service and its PostgreSQL, and can stand in the way. */
export interface Wire {
  readonly port: number;
  /** Connections stay, new ones are accepted, and nothing comes through. */
  freeze(): void;
  thaw(): void;
  /** Open connections go silent for good, new ones work: what a fail-over or a NAT leaves behind. */
  forget(): void;
  /** Open connections go silent for good, and new ones too, until `appear`. */
  vanish(): void;
  appear(): void;
  /** Connections are cut, new ones refused. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Starts a proxy of TCP connections to a loopback port. */
export async function startWire(target: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let isSilent = false;
  const server: Server = createServer((near) => {
    if (isSilent) {
      near.on('error', () => undefined).resume();
      return;
    }
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      // the service may open a connection at any time, perhaps just now
      if (isFrozen) from.pause();
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo; // it listens on a port
  const forget = (): void => {
    for (const socket of sockets) socket.removeAllListeners('data').resume();
    sockets.clear();
  };
  return {
    port,
    freeze: () => {
      isFrozen = true;
      sockets.forEach((socket) => socket.pause());
    },
    forget,
    vanish: () => {
      isSilent = true;
      forget();
    },
    appear: () => {
      isSilent = false;
    },
    thaw: () => {
      isFrozen = false;
      sockets.forEach((socket) => socket.resume());
    },
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        sockets.forEach((socket) => socket.destroy());
      }),
    mend: () => listen(port),
  };
}
