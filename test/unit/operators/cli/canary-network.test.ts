import { EC2Client, type IpPermission } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { securityGroupFault } from '#infra/cli/canary-network.ts';

function vpcWith(rules: readonly IpPermission[], ofSubnet = 'vpc-1'): EC2Client {
  return Object.assign(new EC2Client({ region: 'us-east-1' }), {
    send: async ({ input }: { readonly input: object }) =>
      'GroupIds' in input
        ? { SecurityGroups: [{ VpcId: 'vpc-1', IpPermissionsEgress: rules }] }
        : { Subnets: [{ SubnetId: 'subnet-1', VpcId: ofSubnet }] },
  });
}

const everything: IpPermission = { IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] };

const FAULT = 'no rule of it lets TCP 443 out to the internet';

test.each([
  ['lets everything out, as AWS makes it', vpcWith([everything]), undefined],
  ['lets HTTPS out', vpcWith([{ ...everything, IpProtocol: 'tcp', FromPort: 443, ToPort: 443 }]), undefined],
  ['lets HTTPS out to a list', vpcWith([{ IpProtocol: '-1', PrefixListIds: [{ PrefixListId: 'pl-1' }] }]), undefined],
  ['lets nothing out', vpcWith([]), FAULT],
  ['lets out what is no HTTPS', vpcWith([{ ...everything, IpProtocol: 'tcp', FromPort: 5432, ToPort: 5432 }]), FAULT],
  ['lets out to its VPC alone', vpcWith([{ IpProtocol: '-1', IpRanges: [{ CidrIp: '10.0.0.0/16' }] }]), FAULT],
  ['lets out to another one', vpcWith([{ IpProtocol: '-1', UserIdGroupPairs: [{ GroupId: 'sg-2' }] }]), FAULT],
  [
    'is of another VPC than its subnet',
    vpcWith([everything], 'vpc-2'),
    'it is of vpc-1, and the subnet subnet-1 of vpc-2: Lambda refuses the function',
  ],
])('a security group of the canary that %s', async (_, ec2, expected) => {
  expect(await securityGroupFault(ec2, { subnets: ['subnet-1'], securityGroup: 'sg-1' })).toBe(expected);
});
