/* ros_topics.c - the topics that a game is told on. */
#include "io/ros/ros_topics.h"

/* Names as nav2 has them, but the last four, which ROS has none for; nobody is
 * to drive by an estimate that is not sure, so it is no /amcl_pose. */
const struct pb_ros_topic_row pb_ros_topics[PB_TOPICS] = {
    [PB_TOPIC_CLOCK] = {"/clock", PB_ROS_CLOCK, false},
    [PB_TOPIC_MAP] = {"/map", PB_ROS_GRID, true},
    [PB_TOPIC_TF] = {"/tf", PB_ROS_TF, false},
    [PB_TOPIC_TF_STATIC] = {"/tf_static", PB_ROS_TF, true},
    [PB_TOPIC_SCAN] = {"/scan", PB_ROS_SCAN, false},
    [PB_TOPIC_ODOM] = {"/odom", PB_ROS_ODOMETRY, false},
    [PB_TOPIC_CMD_VEL] = {"/cmd_vel", PB_ROS_TWIST, false},
    [PB_TOPIC_POSE] = {"/amcl_pose", PB_ROS_POSE_COV, false},
    [PB_TOPIC_AMBIGUOUS] = {"/amcl_pose/ambiguous", PB_ROS_POSE_COV, false},
    [PB_TOPIC_LOST] = {"/amcl_pose/lost", PB_ROS_POSE_COV, false},
    [PB_TOPIC_INITIAL] = {"/initialpose", PB_ROS_POSE_COV, false},
    [PB_TOPIC_PARTICLES] = {"/particle_cloud", PB_ROS_POSES, false},
    [PB_TOPIC_GOAL] = {"/goal_pose", PB_ROS_POSE, false},
    [PB_TOPIC_PLAN] = {"/plan", PB_ROS_PATH, false},
    [PB_TOPIC_TRUTH] = {"/ground_truth", PB_ROS_POSE, false},
    [PB_TOPIC_MARKERS] = {"/markers", PB_ROS_MARKERS, false},
    [PB_TOPIC_EVENTS] = {"/events", PB_ROS_STRING, false},
    [PB_TOPIC_SCORE] = {"/score", PB_ROS_INT, false},
};

/* Keep the last messages (1), reliably (1), for who comes later (1) or not (2);
 * no deadline, which is the longest duration there is. */
#define FOREVER "\n    sec: 9223372036\n    nsec: 854775807"
#define QOS(depth, durability)                                    \
	"- history: 1\n  depth: " depth                           \
	"\n  reliability: 1\n  durability: " durability           \
	"\n  deadline:" FOREVER "\n  lifespan:" FOREVER           \
	"\n  liveliness: 1\n  liveliness_lease_duration:" FOREVER \
	"\n  avoid_ros_namespace_conventions: false"

const char *
pb_ros_qos(enum pb_ros_topic topic)
{
	return pb_ros_topics[topic].latched ? QOS("1", "1") : QOS("10", "2");
}
