import { BasePathMapping, DomainName, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Domain, Settings } from '../settings/read-settings.ts';

interface FrontDoorProps {
  readonly restApi: RestApi;
  readonly domains: readonly Domain[];
  readonly mutualTls: Settings['mutualTls'];
}

/** The custom domains under which an API is reached; with a trust store, only by who has a client certificate. */
export class FrontDoor extends Construct {
  constructor(scope: Construct, id: string, { restApi, domains, mutualTls }: FrontDoorProps) {
    super(scope, id);
    for (const { name, certificateArn } of domains) {
      const domainName = new DomainName(this, name, {
        domainName: name,
        certificate: Certificate.fromCertificateArn(this, `${name} certificate`, certificateArn),
        endpointType: EndpointType.REGIONAL,
        securityPolicy: SecurityPolicy.TLS_1_2,
        ...(mutualTls && { mtls: trustStore(this, name, mutualTls.trustStore) }),
      });
      new BasePathMapping(this, `${name} mapping`, { domainName, restApi, stage: restApi.deploymentStage });
    }
  }
}

/** Lets nobody in from elsewhere; who is let in still needs an access token. */
export function allowOnlyFrom(cidrBlocks: readonly string[]): PolicyDocument {
  const everything = {
    principals: [new AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: ['execute-api:/*'],
  };
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ ...everything, effect: Effect.ALLOW }),
      new PolicyStatement({
        ...everything,
        effect: Effect.DENY,
        conditions: { NotIpAddress: { 'aws:SourceIp': [...cidrBlocks] } },
      }),
    ],
  });
}

function trustStore(scope: Construct, name: string, address: string) {
  const { hostname, pathname } = new URL(address);
  return { bucket: Bucket.fromBucketName(scope, `${name} trust store`, hostname), key: pathname.slice(1) };
}
