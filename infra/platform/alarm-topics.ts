import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Stage } from '#infra/stage/stages.ts';
import { ServiceAlarm } from './failure-alarm.ts';

export interface AlarmTopics {
  readonly call: ITopic;
  readonly notice: ITopic;
}

/**
 * Notifies one of two topics of every alarm of the stack, and of its end: `call` for what waits for a person, `notice`
 * for the others. A stage without topics creates its own, to which somebody must subscribe; the alarms of the local
 * stage reach nobody.
 *
 * @param known topics of another stack of the stage
 * @returns the topics; undefined for the local stage
 */
export function notifyOfAlarms(stack: Stack, stage: Stage, known?: AlarmTopics): AlarmTopics | undefined {
  if (stage.name === 'local') {
    leaveOutMetricMath(stack);
    return undefined;
  }
  const topics = known ?? topicsOf(stack, stage);
  const [call, notice] = [new SnsAction(topics.call), new SnsAction(topics.notice)];
  for (const alarm of stack.node.findAll()) {
    if (!(alarm instanceof ServiceAlarm)) continue;
    const action = alarm.callsPeople ? call : notice;
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
  return topics;
}

function topicsOf(stack: Stack, { settings: { alarmTopics, monthlyBudget } }: Stage): AlarmTopics {
  if (alarmTopics)
    return { call: topicOf(stack, 'Call', alarmTopics.call), notice: topicOf(stack, 'Notice', alarmTopics.notice) };
  const topics = { call: createTopic(stack, 'Call'), notice: createTopic(stack, 'Notice') };
  if (monthlyBudget !== undefined) letPublish(topics.notice, 'budgets.amazonaws.com');
  return topics;
}

/** Removes alarms on an expression of several metrics, which the local AWS refuses. */
function leaveOutMetricMath(stack: Stack): void {
  for (const alarm of stack.node.findAll()) {
    const resource = alarm instanceof ServiceAlarm ? alarm.node.defaultChild : undefined;
    if (resource instanceof CfnAlarm && resource.metrics !== undefined)
      alarm.node.scope?.node.tryRemoveChild(alarm.node.id);
  }
}

function topicOf(stack: Stack, kind: 'Call' | 'Notice', arn: string): ITopic {
  return Topic.fromTopicArn(stack, `${kind}Topic`, arn);
}

function createTopic(stack: Stack, kind: 'Call' | 'Notice'): Topic {
  // The policy that demands TLS replaces the one by which the account's alarms may publish.
  const topic = new Topic(stack, `${kind}Topic`, { enforceSSL: true });
  letPublish(topic, 'cloudwatch.amazonaws.com');
  new CfnOutput(stack, `${kind}TopicArn`, { value: topic.topicArn });
  return topic;
}

/** Lets a service of AWS publish for this account, and for no other. */
function letPublish(topic: Topic, service: string): void {
  const conditions = { StringEquals: { 'aws:SourceAccount': topic.stack.account } };
  topic.grantPublish(new ServicePrincipal(service, { conditions }));
}
