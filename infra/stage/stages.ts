import type { CostlyCall } from '#shared/clients/daily-allowances.ts';
import { type Network, type NetworkRules, networkSpecs } from '#shared/networks/network.ts';
import type { CustodianName } from '#shared/off-ramps/custodians/custodians.ts';
import { evmCustodian } from '#shared/off-ramps/custodians/evm/evm-deployment.ts';
import { fireblocksCustodian } from '#shared/off-ramps/custodians/fireblocks/fireblocks-deployment.ts';
import {
  type FireblocksServer,
  type FireblocksSetting,
  type FireblocksSettings,
  fireblocksServers,
} from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';
import type { ReturnRoutes } from '#shared/off-ramps/custodians/returns-setting.ts';
import { simulatedCustodian } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import { type AmountBounds, type PaymentMethod, paymentMethods } from '#shared/pay-ins/payment-methods.ts';
import type { RailName } from '#shared/pay-ins/rails/payment-rails.ts';
import { simulatedRail } from '#shared/pay-ins/rails/simulated/simulated-rail-deployment.ts';
import { wompiRail } from '#shared/pay-ins/rails/wompi/wompi-deployment.ts';
import { type WompiServer, wompiServers } from '#shared/pay-ins/rails/wompi/wompi-settings.ts';
import { mapPresent, mapValues } from '#shared/platform/collections.ts';
import { DOCS_PATH } from '#shared/platform/http/answer.ts';
import type { CustodianDeployment, RailDeployment } from './deployments.ts';
import { localProviders, localSecrets } from './local-providers.ts';
import { readSettings } from './read-settings.ts';
import { isAnySent, returnRoutesOf } from './return-routes.ts';
import { restored, type Settings } from './settings.ts';

interface DeliverySlots {
  readonly all: number;
  /** The most slots that one client has, whatever its endpoints do. */
  readonly perClient: number;
  /** The most of its client's slots that one webhook has. */
  readonly perWebhook: number;
}

/** Everything in which one stage differs from another. */
export interface Stage {
  readonly name: 'local' | 'staging' | 'prod';
  /** The custodian of each network, which is chosen nowhere else. A network without a custodian is not served. */
  readonly custodians: Readonly<Partial<Record<Network, CustodianDeployment>>>;
  /** The rail of each payment method, which is chosen nowhere else. A method without a rail is not served. */
  readonly rails: Readonly<Partial<Record<PaymentMethod, RailDeployment>>>;
  /** Seconds from the creation of an off-ramp to its `expiresAt`. */
  readonly windowSeconds: number;
  /** Seconds of the verification window of a hash that is submitted after `expiresAt`. */
  readonly lateWindowSeconds: number;
  /** Hours from its `expiresAt` until an off-ramp for which nothing has arrived ends. */
  readonly endsAfterHours: number;
  /** Hours from a credited deposit to its payout, after which the off-ramp is in the list `unpaid`. */
  readonly payoutHours: number;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
  readonly payinBounds: Readonly<Record<PaymentMethod, AmountBounds>>;
  /** True if webhooks may point to this machine, by plain http, for trials where everything is on one machine. */
  readonly webhooksToThisMachine: boolean;
  /** Attempts at deliveries that are in progress at the same time: first ones, and later ones. */
  readonly deliverySlots: { readonly first: DeliverySlots; readonly retries: DeliverySlots };
  /** Concurrent calls of a queue's function, except for deliveries, which have slots. */
  readonly consumersPerQueue: number;
  /** True if the stage has routes that simulate deposits and payments, and simulated payouts; never in production. */
  readonly hasSandbox: boolean;
  /** Seconds from a verified deposit to the simulated payout, where there is a sandbox. */
  readonly simulatedPayoutSeconds: number;
  /** True if tables and keys survive the deletion of the stack, and tables cannot be deleted at all. */
  readonly keepsData: boolean;
  readonly logRetentionDays: number;
  /**
   * Folders of functions that a deployment moves to their new version in steps; other functions with versions move at
   * once. A stage without this has no versions.
   */
  readonly gradualReleases?: 'all' | readonly string[];
  /** Requests per second and burst of each route, for all clients together. */
  readonly throttling: { readonly rate: number; readonly burst: number };
  /** Requests per second, burst and requests per day of each client, on all routes; unlimited when not given. */
  readonly perClient?: { readonly rate: number; readonly burst: number; readonly requestsPerDay: number };
  /** Requests per second and burst of each client, on each route whose calls cost more than their answers. */
  readonly costlyCalls: { readonly rate: number; readonly burst: number };
  /** Costly calls of each kind that a client may make in a day in UTC, unless an operator has set another limit. */
  readonly mostPerDay: Readonly<Record<CostlyCall, number>>;
  /** How deposits are sent back; a network without an entry returns nothing. */
  readonly returns: ReturnRoutes;
  /** The settings of the company, such as custom domains, client certificates and allowlist. */
  readonly settings: Settings;
  /** The address of the guides, for problems and the interface's description; the called API's when not given. */
  readonly docsUrl?: string;
  /** True if the APIs' own addresses on AWS answer, too; never in production, where they would bypass the domains. */
  readonly hasDefaultEndpoint: boolean;
  /** The endpoint through which the API is reached from inside, when that is not its own address on AWS. */
  readonly localEndpoint?: string;
}

const DAY = 24 * 3600;

const shared = {
  custodians: mapValues(networkSpecs, () => simulatedCustodian),
  rails: { PSE: simulatedRail, NEQUI: simulatedRail, DAVIPLATA: simulatedRail },
  windowSeconds: DAY,
  lateWindowSeconds: 30 * 60,
  endsAfterHours: 720,
  payoutHours: 4,
  networkRules: mapValues(networkSpecs, ({ finalitySeconds }) => ({ finalitySeconds })),
  payinBounds: mapValues(paymentMethods, ({ minimum, maximum }) => ({ minimum, maximum })),
  webhooksToThisMachine: false,
  deliverySlots: {
    first: { all: 100, perClient: 20, perWebhook: 15 },
    retries: { all: 50, perClient: 10, perWebhook: 8 },
  },
  consumersPerQueue: 50,
  simulatedPayoutSeconds: 5,
  costlyCalls: { rate: 5, burst: 50 },
  mostPerDay: { offRamps: 20_000, payIns: 20_000, reports: 30_000 },
} as const;

const stages = {
  staging: {
    ...shared,
    name: 'staging',
    hasDefaultEndpoint: true,
    hasSandbox: true,
    keepsData: true,
    logRetentionDays: 30,
    // Production must not be the first to try gradual releases, also two at once. Those of more functions would fill
    // the stack.
    gradualReleases: ['off-ramps/check-deposit', 'off-ramps/match-deposit'],
    throttling: { rate: 50, burst: 100 },
    perClient: { rate: 20, burst: 40, requestsPerDay: 250_000 },
    costlyCalls: { rate: 2.5, burst: 25 },
    mostPerDay: { offRamps: 10_000, payIns: 10_000, reports: 15_000 },
  },
  prod: {
    ...shared,
    name: 'prod',
    hasDefaultEndpoint: false,
    hasSandbox: false,
    keepsData: true,
    logRetentionDays: 365,
    gradualReleases: 'all',
    throttling: { rate: 500, burst: 1000 },
    perClient: { rate: 50, burst: 100, requestsPerDay: 500_000 },
  },
} as const satisfies Record<string, BareStage>;

type BareStage = Omit<Stage, 'settings' | 'returns'>;

/** Servers that stand in for those of the providers. */
interface Servers {
  readonly fireblocks?: FireblocksServer | undefined;
  readonly wompi?: WompiServer | undefined;
}

/** A client's developers see each state within seconds (docs/sandbox.md). */
const SIMULATED_RULES: NetworkRules = { finalitySeconds: 2 };

/** The stage with these settings, and the custodians and rails that they choose. */
export function withSettings(stage: BareStage, settings: Settings, servers: Servers = {}): Stage {
  const { evm, fireblocks, wompi } = settings;
  const custodians: Readonly<Partial<Record<CustodianName, CustodianDeployment>>> = {
    simulated: simulatedCustodian,
    ...(evm && { evm: evmCustodian(evm) }),
    ...(fireblocks && {
      fireblocks: fireblocksCustodian(fireblocksSettingOf(fireblocks, servers.fireblocks), isAnySent(settings.returns)),
    }),
  };
  const rails: Readonly<Partial<Record<RailName, RailDeployment>>> = {
    simulated: simulatedRail,
    ...(wompi && { wompi: wompiRail(servers.wompi ?? wompiServers[wompi.server]) }),
  };
  const described = {
    ...stage.custodians,
    ...mapPresent(fireblocks?.networks ?? {}, () => custodians.fireblocks),
    ...mapPresent(evm?.chains ?? {}, () => custodians.evm),
  };
  const chosen = settings.custodians ? mapPresent(settings.custodians, (name) => custodians[name]) : described;
  const isPlayed = (network: Network) => stage.hasSandbox && chosen[network]?.isSimulated;
  const docsUrl = settings.docsUrl ?? (settings.domains && `https://${settings.domains.api.name}${DOCS_PATH}`);
  return {
    ...stage,
    settings,
    ...(docsUrl !== undefined && { docsUrl }),
    custodians: chosen,
    networkRules: mapValues(stage.networkRules, (rules, network) => (isPlayed(network) ? SIMULATED_RULES : rules)),
    returns: returnRoutesOf(chosen, settings.returns, stage.hasSandbox),
    rails: settings.rails ? mapPresent(settings.rails, (name) => rails[name]) : stage.rails,
  };
}

function fireblocksSettingOf(
  { server, networks, ...rest }: FireblocksSettings,
  other: FireblocksServer | undefined,
): FireblocksSetting {
  const withIds = mapPresent(networks, (network) => ({ ...network, assets: Object.values(network.assets) }));
  return { ...rest, networks: withIds, server: other ?? fireblocksServers[server] };
}

interface LocalOptions {
  readonly endpoint?: string;
  readonly windowSeconds?: number;
  /** The providers as JSON; everything is simulated without them. */
  readonly providers?: string;
  /** The address of the guides on this machine. */
  readonly docsUrl?: string;
  /** The setting `restored` as JSON; none when not given. */
  readonly restored?: string;
}

/** The stage on this machine: everything is final after two seconds. */
function localStage({
  endpoint = 'http://127.0.0.1:4566',
  windowSeconds,
  providers = '{}',
  docsUrl,
  restored: tables,
}: LocalOptions): Stage {
  if (windowSeconds !== undefined && !(windowSeconds >= 1 && windowSeconds <= 364 * DAY)) {
    throw new Error('The window must be given in seconds, from 1 second to 364 days.');
  }
  const stage = {
    ...shared,
    ...(windowSeconds !== undefined && { windowSeconds, lateWindowSeconds: windowSeconds }),
    networkRules: mapValues(networkSpecs, () => SIMULATED_RULES),
    name: 'local' as const,
    webhooksToThisMachine: true,
    // Each attempt is a process on this machine.
    deliverySlots: {
      first: { all: 10, perClient: 2, perWebhook: 2 },
      retries: { all: 6, perClient: 2, perWebhook: 2 },
    },
    consumersPerQueue: 5,
    hasSandbox: true,
    keepsData: false,
    logRetentionDays: 1,
    throttling: { rate: 10_000, burst: 5000 },
    hasDefaultEndpoint: true,
    localEndpoint: endpoint,
  };
  const { evm, fireblocks, returns, wompi } = localProviders.parse(JSON.parse(providers));
  const settings: Settings = {
    // A service whose events reach webhooks, for trials.
    publishers: { 'partner.demo': ['arn:aws:iam::000000000000:role/partner-demo'] },
    secrets: localSecrets,
    ...(docsUrl !== undefined && { docsUrl }),
    ...(tables !== undefined && { restored: restored.parse(JSON.parse(tables)) }),
    ...(evm && { evm }),
    ...(returns && { returns }),
    ...(fireblocks && { fireblocks: { ...fireblocks, server: 'sandbox' as const } }),
    ...(wompi && {
      wompi: { server: 'sandbox' as const },
      rails: { PSE: 'wompi', NEQUI: 'wompi', DAVIPLATA: 'wompi' } as const,
    }),
  };
  return withSettings(stage, settings, { fireblocks: fireblocks?.server, wompi });
}

/** The stage that `cdk -c stage=…` names; staging when it names none. */
export function stageNamed(name: unknown, local: LocalOptions = {}): Stage {
  switch (name ?? 'staging') {
    case 'staging':
      return withSettings(stages.staging, readSettings('staging'));
    case 'prod':
      return withSettings(stages.prod, readSettings('prod'));
    case 'local':
      return localStage(local);
    default:
      throw new Error(`No stage is ${JSON.stringify(name)}: give -c stage=staging, -c stage=prod or -c stage=local.`);
  }
}

/**
 * True if orders on this provider are accepted. Production refuses a simulated one: nobody has the key of its deposit
 * addresses, and nobody collects its payments (decisions.md 5).
 */
export function acceptsOrders({ name }: Stage, provider: { readonly isSimulated: boolean }): boolean {
  return name !== 'prod' || !provider.isSimulated;
}

/** The custodians of a stage, each once, in the order of its networks. */
export function custodiansOf({ custodians }: Pick<Stage, 'custodians'>): readonly CustodianDeployment[] {
  return eachOnce(Object.values(custodians));
}

/** The rails of a stage, each once, in the order of its methods. */
export function railsOf({ rails }: Pick<Stage, 'rails'>): readonly RailDeployment[] {
  return eachOnce(Object.values(rails));
}

function eachOnce<Provider extends { readonly name: string }>(providers: readonly Provider[]): readonly Provider[] {
  return [...new Map(providers.map((provider) => [provider.name, provider])).values()];
}
